import { Schema } from "effect"
import { nonBlank } from "./Text.ts"

/**
 * The text of a URL, trimmed, of at most `max` characters. A line break or another control character is refused and not
 * trimmed away, as parsers of URLs do it: whoever sends one wants something else read than what is shown.
 */
export const urlText = (max: number) =>
  Schema.compose(
    Schema.String.pipe(
      Schema.pattern(/^\P{Cc}*$/u, {
        message: () => "Expected a URL without line breaks and control characters",
        jsonSchema: { type: "string", minLength: 1, maxLength: max }
      })
    ),
    nonBlank(max)
  )
