import { Schema } from "effect"
import { kept } from "../../kernel/Incoming.ts"
import { nonBlank } from "../../kernel/Text.ts"

/** An address for mail, as people write it: something, an at sign, a name with a dot or `localhost`. */
export const Email = nonBlank(320, kept("It is the identity of a person.")).pipe(
  Schema.pattern(/^[^\s@]{1,64}@[^\s@]+$/, { message: () => "Expected an email address" })
)
