import { Schema } from "effect"
import { SecretReference } from "../../kernel/SecretReference.ts"

/** True for `env:NAME`: the environment holds the credential, and nothing is stored. */
export const isReference = Schema.is(SecretReference)
