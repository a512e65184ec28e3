import { isAbsolute, resolve } from "node:path"
import { Either } from "effect"
import { sha256 } from "../Digest.ts"
import type { Entry } from "./Configuration.ts"

/** Where a repository fetches from and pushes to. */
export interface Remote {
  readonly url: string
  /** Where it lies, for a repository on this machine. */
  readonly path: string | undefined
  /** Identifies the remote without showing its address; credentials in the address don't count. */
  readonly fingerprint: string
}

/**
 * The remote `origin` of a repository, or why it can't be used: there is none, it speaks a protocol other than https,
 * ssh or local files, or the configuration would lead git somewhere else than it says.
 */
export const originOf = (
  entries: ReadonlyArray<Entry>,
  repositoryPath: string
): Either.Either<Remote, string> => {
  if (entries.some(({ key }) => /^url\..*\.(?:push)?insteadof$/s.test(key))) {
    return Either.left(
      "the repository rewrites URLs (url.<base>.insteadOf): remove that from its configuration"
    )
  }
  const url = entries.find(({ key }) => key === "remote.origin.url")?.value
  if (url === undefined) return Either.left("the repository has no remote named origin")
  const pushUrl = entries.find(({ key }) => key === "remote.origin.pushurl")?.value
  if (pushUrl !== undefined && pushUrl !== url) {
    return Either.left("origin pushes to another place than it fetches from (remote.origin.pushUrl)")
  }
  return remoteAt(url, repositoryPath)
}

/** The remote that git takes a URL for: `host:path` and plain paths are URLs to git too. */
export const remoteAt = (url: string, repositoryPath: string): Either.Either<Remote, string> => {
  if (url === "" || url.startsWith("-") || /[\p{Cc}]/u.test(url) || url.length > 2_000) {
    return Either.left("the URL of origin is malformed")
  }
  if (/^[a-z0-9+.-]+::/i.test(url))
    return Either.left("origin needs a helper program; https, ssh and local paths do not")
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (scheme === "https" || scheme === "ssh") {
    return /^[a-z]+:\/\/(?:[^/@]*@)?-/i.test(url)
      ? Either.left("the host of origin is malformed")
      : remote(url, undefined)
  }
  if (scheme === "file")
    return Either.flatMap(decoded(url.slice("file://".length)), (path) => remote(path, path))
  if (scheme !== undefined)
    return Either.left(`origin speaks ${scheme}; https, ssh and local paths are allowed`)
  const colon = url.indexOf(":")
  const slash = url.indexOf("/")
  // As git reads it: a colon before the first slash ends the name of a host.
  if (colon > 0 && (slash === -1 || colon < slash)) {
    return /^(?:[^@]*@)?-/.test(url) ? Either.left("the host of origin is malformed") : remote(url, undefined)
  }
  const path = isAbsolute(url) ? url : resolve(repositoryPath, url)
  return remote(path, path)
}

/**
 * The path of a file URL, decoded as git does; undefined when the URL has a host, as it is then not on this machine.
 */
const decoded = (path: string): Either.Either<string, string> =>
  Either.filterOrLeft(
    Either.try({ try: () => decodeURIComponent(path), catch: () => "the URL of origin is malformed" }),
    (text) => text.startsWith("/") && !/\p{Cc}/u.test(text),
    () => "the URL of origin is malformed"
  )

const remote = (url: string, path: string | undefined): Either.Either<Remote> =>
  Either.right({ url, path, fingerprint: `sha256:${sha256(canonical(url))}` })

/** One spelling for a remote, without the user and without `.git` at the end. */
const canonical = (url: string): string =>
  url
    .replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")

/** The page of a code host that opens a pull request for a branch, for the hosts whose addresses are known. */
export const compareUrl = (url: string, base: string, branch: string): string | undefined => {
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/)(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/i.exec(url) ??
    /^(?:[^@/]*@)?([^/:]+):(?!\/)(.+?)(?:\.git)?\/?$/.exec(url) ??
    []
  if (host === undefined || path === undefined) return undefined
  const [from, to] = [branch, base].map((name) => name.split("/").map(encodeURIComponent).join("/"))
  if (host === "github.com") return `https://${host}/${path}/compare/${to}...${from}?expand=1`
  if (host === "gitlab.com") {
    const query = new URLSearchParams({
      "merge_request[source_branch]": branch,
      "merge_request[target_branch]": base
    })
    return `https://${host}/${path}/-/merge_requests/new?${query}`
  }
  return undefined
}
