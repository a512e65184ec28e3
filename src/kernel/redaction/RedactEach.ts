/** Between texts that are read as one: no step reads across it, as none passes over two zeros and their line breaks. */
const gap = "\n\0\n\0\n"

/**
 * Each of many texts without its secrets. Most have none, and reading them as one tells so at the price of one; those
 * that it changes are read again by themselves, and all of them where it does not even keep them apart (a private key
 * may reach from one to another).
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
