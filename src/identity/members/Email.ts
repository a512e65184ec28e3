import { Schema } from "effect"
import { nonBlank } from "../../kernel/Text.ts"

/** An address for mail, as people write it: something, an at sign, a name with a dot or `localhost`. */
export const Email = nonBlank(320).pipe(
  Schema.pattern(/^[^\s@]{1,64}@[^\s@]+$/, { message: () => "Expected an email address" })
)
