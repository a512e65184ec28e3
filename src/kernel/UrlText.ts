import { Schema } from "effect"
import { kept } from "./Incoming.ts"
import { nonBlank } from "./Text.ts"

const address = kept("It is an address; a credential in it is refused where it is set.")

/**
 * The text of a URL, trimmed, of at most `max` characters. A line break or another control character is refused and not
 * trimmed away, as parsers of URLs do it: whoever sends one wants something else read than what is shown.
 */
export const urlText = (max: number, handle = address) =>
  Schema.compose(
    Schema.String.pipe(
      Schema.pattern(/^\P{Cc}*$/u, {
        message: () => "Expected a URL without line breaks and control characters",
        jsonSchema: { type: "string", minLength: 1, maxLength: max }
      })
    ),
    nonBlank(max, handle)
  )
