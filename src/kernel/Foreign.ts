import { stripVTControlCharacters } from "node:util"

/*
 * Text that others wrote, as it is shown: in a terminal, which obeys control characters, and to a model, which believes
 * what it reads. Whatever comes from the board goes through here on its way to either of them.
 */

/** What breaks a line somewhere: in a terminal, in an editor, or for whoever splits a text. */
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** Control characters (C0, DEL, C1) but the tab and the line feed, and the marks of interlinear annotations. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufff9-\ufffb]/g

/** Scripts whose letters change their form by a joiner between them. */
const joining = ["Arab", "Syrc", "Nkoo", "Mong", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu"]
  .concat("Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt")
  .map((script) => `\\p{sc=${script}}`)
  .join("")

/**
 * What nobody sees: marks of direction, which show a text in another order than the one it has; zero-width characters;
 * tags and variation selectors, which can carry a text of their own. Kept are those that a reader does see the work
 * of: joiners inside of an emoji or between letters that join, and the selector of an emoji's form.
 */
const invisible = new RegExp(
  [
    "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
    `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
    "(?<=\\p{Emoji})[\\ufe0e\\ufe0f]",
    "(\\p{Default_Ignorable_Code_Point})"
  ].join("|"),
  "gu"
)

/** Foreign text without what could take a terminal over or hide in it. Its lines end with a line feed. */
export const printable = (text: string): string =>
  stripVTControlCharacters(text.toWellFormed())
    .replace(lineBreak, "\n")
    .replace(control, "")
    .replace(invisible, (kept, taken: string | undefined) => (taken === undefined ? kept : ""))

/** The same on one line, for whatever shares its line or its place with other things. */
export const oneLine = (text: string): string => printable(text).replace(/\s+/g, " ").trim()

/** The same in lines of its own, each behind a mark, so that none of them can pass for something else. */
export const behind = (mark: string, text: string): ReadonlyArray<string> =>
  printable(text)
    .split("\n")
    .map((line) => `${mark}${line}`.trimEnd())

/** The same in a row with what is said before it: the first line follows that, the others stand behind the mark. */
export const after = (said: string, mark: string, text: string): string => {
  const [first = "", ...others] = behind(mark, text)
  return [`${said} ${first.slice(mark.length)}`.trimEnd(), ...others].join("\n")
}

/** A character as JSON can write it with letters and digits alone. */
const escaped = (text: string): string =>
  [...Array(text.length).keys()]
    .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("")

const unprintable = /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu

/** A value as JSON that a terminal can show: the same value, with everything that is not visible escaped. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unprintable, escaped)
