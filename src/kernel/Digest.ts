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
