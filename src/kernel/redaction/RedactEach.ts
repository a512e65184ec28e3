/** The separator between texts that are scanned as one: no pattern matches across it. */
const gap = "\n\0\n\0\n"

/**
 * Takes the secrets out of each of many texts. Most have none, and one scan of all of them together shows that cheaply;
 * texts that it changes are scanned again by themselves, and all of them when the separators do not survive (a private
 * key may reach from one text into the next).
 */
export const redactEach = (
  texts: ReadonlyArray<string>,
  redact: (text: string) => string
): ReadonlyArray<string> => {
  const joined = texts.join(gap)
  const redacted = redact(joined)
  if (texts.length < 2 || redacted === joined) return texts.length === 1 ? [redacted] : texts
  const parts = redacted.split(gap)
  return parts.length === texts.length
    ? texts.map((text, index) => (parts[index] === text ? text : redact(text)))
    : texts.map((text) => redact(text))
}
