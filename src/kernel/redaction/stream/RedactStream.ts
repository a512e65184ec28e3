import { redactText } from "../../Redaction.ts"
import { endsInKnown } from "../KnownSecrets.ts"
import { marker } from "../signs/Marker.ts"
import { isInsideKey, mayGoOn } from "./OpenEnd.ts"

/** Takes the secrets out of a text that comes in pieces. */
export interface StreamRedactor {
  /** Takes in a piece, and gives what can be let out now. */
  readonly push: (text: string) => string
  /**
   * Gives the lines that wait for what follows, as nothing has come for a while: they still count for what does. A line
   * without an end stays back, and so does what may be a half of a secret that this process holds, or of a key.
   */
  readonly pause: () => string
  /** Gives all that is left: nothing more comes, or something else comes first. */
  readonly flush: () => string
  /** What is held back now. It must not be shown. */
  readonly held: () => string
}

/** The most that is held back, in UTF-16 units: no secret is longer than half of it. */
export const streamLimit = 65_536

/** How many lines a rule looks ahead, empty ones aside: a name, the fence of a block, and then the value. */
const lookahead = 3

/** Where the last lines begin that a rule may look at from those before. */
const lastLines = (lines: ReadonlyArray<string>): number => {
  let at = lines.length
  for (let seen = 0; seen < lookahead && at > 0; ) if (lines[--at]?.trim() !== "") seen++
  return at
}

/** What a text has that a shorter form of its beginning did not show yet. */
const after = (shown: string, text: string): string => {
  let at = 0
  while (at < shown.length && shown[at] === text[at]) at++
  return text.slice(at)
}

/** A line that can be the rest of a key or a token, when what stood before it was taken out. */
const material = /^[\s"'`>|\d]{0,24}[A-Za-z0-9+/=_\\.-]{16,}[\s"'`,;\\+]*$/

/**
 * Takes secrets out of a text in pieces, as if it were there as a whole: it works line by line, and holds a line back
 * while a secret may go on behind its end. What comes out does not depend on where the pieces were cut.
 *
 * What it keeps is bounded. A line that is longer than the limit is cut where no secret stands; a secret that is longer
 * than the limit is taken out as far as it looks like one.
 */
export const makeStreamRedactor = (limit = streamLimit): StreamRedactor => {
  /** The last lines that were let out in a pause, and how they read: what follows is judged together with them. */
  let shown = ""
  let shownAs = ""
  /** Lines that wait, and the line that has no end yet. */
  let lines: Array<string> = []
  let length = 0
  let tail = ""
  /** Whether a secret was let out of sight at the limit: what looks like its rest goes too. */
  let swallows = false

  const clear = (): void => {
    lines = []
    length = 0
  }

  /** Lets out what a redacted text has beyond what was shown in a pause. From here on the next lines stand alone. */
  const letOut = (redacted: string): string => {
    const out = after(shownAs, redacted)
    shown = ""
    shownAs = ""
    return out
  }

  /** Lets out the lines behind which nothing goes on; `undefined` when all have to wait. */
  const settled = (): string | undefined => {
    const all = shown + lines.join("")
    if (isInsideKey(all)) return undefined
    const redacted = redactText(all)
    if (!mayGoOn(all, redacted)) {
      clear()
      return letOut(redacted)
    }
    const at = lastLines(lines)
    if (at === 0) return undefined
    const rest = lines.slice(at).join("")
    const out = redactText(shown + lines.slice(0, at).join(""))
    if (out + redactText(rest) !== redacted) return undefined
    lines = lines.slice(at)
    length = rest.length
    return letOut(out)
  }

  /** Cuts what has become too long at a place where no secret stands, near its middle. */
  const cut = (text: string): readonly [out: string, rest: string] => {
    const whole = redactText(text)
    const middle = text.length >> 1
    for (let step = 0; step < 16; step++) {
      const wanted = middle + (step % 2 === 0 ? -step : step) * (limit >> 6)
      const space = text.slice(wanted, wanted + (limit >> 6)).search(/\s/)
      const at = wholeAt(text, space < 0 ? wanted : wanted + space + 1)
      const out = redactText(text.slice(0, at))
      const rest = text.slice(at)
      if (out + redactText(rest) === whole) return [out, rest]
    }
    swallows = true
    return [whole.endsWith(marker) ? whole : `${whole}${marker}`, ""]
  }

  const add = (line: string): string => {
    if (swallows) {
      if (material.test(line.trimEnd())) return ""
      swallows = false
    }
    lines.push(line)
    length += line.length
    return settled() ?? ""
  }

  /** Brings what is held back under the limit. */
  const shorten = (): string => {
    letOut("")
    let out = ""
    while (length + tail.length > limit) {
      const [safe, rest] = cut(lines.join("") + tail)
      out += safe
      const end = rest.lastIndexOf("\n") + 1
      lines = rest.slice(0, end) === "" ? [] : rest.slice(0, end).split(/(?<=\n)/)
      length = end
      tail = rest.slice(end)
    }
    return out
  }

  return {
    held: () => lines.join("") + tail,
    push: (text) => {
      const out: Array<string> = []
      let start = 0
      while (start < text.length) {
        // No more at once than the limit allows, so that what comes out is the same however it came in.
        const room = Math.max(1, limit + 1 - length - tail.length)
        const found = text.indexOf("\n", start)
        const end = Math.min(found < 0 ? text.length : found + 1, start + room)
        tail += text.slice(start, end)
        start = end
        if (length + tail.length > limit) out.push(shorten())
        else if (tail.endsWith("\n")) {
          const line = tail
          tail = ""
          out.push(add(line))
        }
      }
      return out.join("")
    },
    pause: () => {
      const all = shown + lines.join("")
      if (lines.length === 0 || isInsideKey(all) || endsInKnown(all)) return ""
      const out = letOut(redactText(all))
      const told = all.split(/(?<=\n)/)
      shown = told.slice(lastLines(told)).join("")
      shownAs = redactText(shown)
      clear()
      return out
    },
    flush: () => {
      const text = lines.join("") + tail
      const before = shown
      clear()
      tail = ""
      const rest = swallows && material.test(text.trim()) ? "" : text
      // Something else came in between: the key goes on behind it.
      swallows = isInsideKey(text) || (swallows && rest === "")
      const out = letOut(redactText(before + rest))
      return rest === "" ? "" : out
    }
  }
}

/** A place in a text that is not within a pair of surrogates. */
const wholeAt = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at + 1 : at)
