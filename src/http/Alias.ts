/**
 * Every REST path answers under two prefixes: `/api/v1`, the canonical one, and `/api` (spec 1-core, Versioning).
 * Health answers at the root as well. Routes are kept once, under `/api` and `/health`.
 */
export const canonicalUrl = (url: string): string => {
  const path = url.startsWith("/api/v1/") ? `/api${url.slice(7)}` : url
  return /^\/api\/health(?:[/?]|$)/.test(path) ? path.slice(4) : path
}
