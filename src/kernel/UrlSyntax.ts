/**
 * Whether a text is a URL, an absolute one without a base. It answers as `URL.canParse` is meant to: that one refuses
 * every URL with a letter between U+0080 and U+00FF as soon as Node 20 has found it worth compiling, after some
 * thousands of calls.
 */
export const isUrl = (text: string, base?: string | URL): boolean => {
  try {
    new URL(text, base)
    return true
  } catch {
    return false
  }
}
