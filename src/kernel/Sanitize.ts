/**
 * Text without what could run where it is shown: control characters other than newline and tab are gone, script,
 * style, iframe, object and embed elements are gone, event handlers have lost their `=` and script URLs their colon.
 * Everything else stays, other markup included: whoever shows text as HTML still has to escape it.
 *
 * No removal joins two harmless halves into something harmful, so sanitising twice changes nothing more. Every step
 * takes linear time.
 */
export const sanitizeText = (text: string): string => {
  const visible = text.replace(controls, "")
  // Which quotes hide which `>` depends on who parses the text, so a handler in a text with tags goes wherever it is.
  return visible.includes("<")
    ? withoutElements(visible).replace(scriptUrls, "$1-").replace(handlers, "$1:")
    : visible
}

/** Control characters, newline and tab apart. */
const controls = /(?![\n\t])\p{Cc}/gu

/** Where an element begins that runs or loads something. A bare `<object>` does neither: it is a type argument. */
const openings = /<(script|style|iframe|embed|object(?!>))(?![a-z0-9-])/gi

/** A script URL in an attribute, up to its colon. Browsers overlook line breaks and tabs in its name. */
const scriptUrls = new RegExp(`(=[\\s"']*${[..."javascript", ""].join("[\\n\\t]*")}):`, "gi")

/** An event handler in a tag, up to its `=`. */
const handlers = /(?<=[\s/"'])(on[a-z]{3,}\s*)=/gi

/**
 * Removes each element from its opening tag to its closing tag, and leaves a space, so that the two sides don't meet.
 * Of one that is never closed the opening tag goes alone.
 */
const withoutElements = (text: string): string => {
  // Tokens that were not found: no part of the text is searched for them again.
  const missing = new Set<string>()
  let kept = ""
  let from = 0
  for (const opening of text.matchAll(openings)) {
    if (opening.index < from) continue
    kept += `${text.slice(from, opening.index)} `
    from = endOfElement(text, opening.index + opening[0].length, `</${opening[1]}`.toLowerCase(), missing)
  }
  return kept + text.slice(from)
}

const endOfElement = (text: string, nameEnd: number, closing: string, missing: Set<string>): number => {
  const tagEnd = endOf(">", text, nameEnd, missing)
  if (tagEnd === undefined) return nameEnd
  const closingName = endOf(closing, text, tagEnd, missing)
  return (closingName === undefined ? undefined : endOf(">", text, closingName, missing)) ?? tagEnd
}

/** Where the next occurrence of a token ends, whatever its case. */
const endOf = (token: string, text: string, from: number, missing: Set<string>): number | undefined => {
  if (missing.has(token)) return undefined
  const pattern = new RegExp(token, "gi")
  pattern.lastIndex = from
  if (pattern.test(text)) return pattern.lastIndex
  missing.add(token)
  return undefined
}
