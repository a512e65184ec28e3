/** The target of a request, taken apart. */
export interface RequestTarget {
  readonly path: string
  /** What follows the first `?`, without it. */
  readonly query: string
}

const absoluteForm = /^https?:\/\/([^/?#\s]+)([/?][^#\s]*)?$/i

/**
 * The target in the form in which a route is looked up, which begins with a slash. A client that takes the server for a
 * proxy names it in full (RFC 9112, 3.2.2): that is allowed when it names the Host of the request, otherwise the answer
 * is undefined, as for what is no target at all. `URL` is of no use here: it throws at what anybody may send.
 */
export const originForm = (target: string, host: string | undefined): string | undefined => {
  if (target.startsWith("/") || target === "*") return target
  const absolute = absoluteForm.exec(target)
  if (absolute === null || absolute[1]?.toLowerCase() !== host?.toLowerCase()) return undefined
  const rest = absolute[2] ?? "/"
  return rest.startsWith("/") ? rest : `/${rest}`
}

/** Takes a target in origin form apart. Nothing is decoded, so nothing can fail. */
export const takeApart = (target: string): RequestTarget => {
  const mark = target.indexOf("?")
  return mark === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
