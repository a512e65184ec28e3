import { Schema } from "effect"
import { kept } from "./Incoming.ts"
import { nonBlank } from "./Text.ts"

const address = kept("It is an address; a credential in it is refused where it is set.")

/**
 * The text of a URL, trimmed, of at most `max` characters. A control character or a backslash is refused, although URL
 * parsers drop the one and turn the other round: whoever sends it wants the URL to be read differently from how it
 * looks.
 */
export const urlText = (max: number, handle = address) =>
  Schema.compose(
    Schema.String.pipe(
      Schema.pattern(/^[^\p{Cc}\p{Zl}\p{Zp}\\]*$/u, {
        message: () => "Expected a URL without line breaks, control characters and backslashes",
        jsonSchema: { type: "string", minLength: 1, maxLength: max }
      })
    ),
    nonBlank(max, handle)
  )
