export { all as allAdapters, find as findAdapter } from "./AdapterRepo.ts"
export { requireAdapter, requireRelay } from "./RequireAdapter.ts"
