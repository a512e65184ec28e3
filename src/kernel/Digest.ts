import { hash } from "node:crypto"
import { canonicalize } from "json-canonicalize"

/** RFC 8785 canonical JSON. */
export { canonicalize }

/** `sha256:` and 64 hex digits over RFC 8785 canonical JSON: one digest for one value, whatever its key order. */
export const digest = (value: unknown): string => digestOf(canonicalize(value))

/** The digest of a value whose canonical JSON is this text. */
export const digestOf = (canonical: string): string => `sha256:${sha256(canonical)}`

/** SHA-256 of UTF-8 text in hex. */
export const sha256 = (text: string): string => hash("sha256", text, "hex")

/** A value with its digest, which leaves the member `digest` out: the one that it may have is replaced (ruling 26). */
export const sealed = <A extends object>(value: A): Omit<A, "digest"> & { readonly digest: string } => {
  const content = contentOf(value)
  return { ...content, digest: digest(content) }
}

/** Whether the digest that a value carries is its own. */
export const isSealed = (value: { readonly digest: string }): boolean =>
  value.digest === digest(contentOf(value))

const contentOf = <A extends object>(value: A): Omit<A, "digest"> => {
  const { digest: _, ...content } = value as A & { readonly digest?: unknown }
  return content
}
