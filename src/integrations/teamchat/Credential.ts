import { Schema } from "effect"
import { SecretReference } from "../../kernel/SecretReference.ts"

/** True for `env:NAME`: the environment holds the credential, and nothing is stored. */
export const isReference = Schema.is(SecretReference)

/** True for what can follow `Bearer ` in a header. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(text)
