import { fold } from "./Fold.ts"
import { type Mention, mentionLimit } from "./SquadMessage.ts"

/**
 * `@name`: letters and digits, joined by dots, dashes and underscores. What stands before the `@` tells an e-mail
 * address, a URL and a redacted password from a mention. Nothing follows the name in the pattern, so no text makes it
 * go back: the time is linear.
 */
const pattern = /(?<![\p{L}\p{M}\p{N}._%+\-/@\]])@([\p{L}\p{M}\p{N}]+(?:[._-]+[\p{L}\p{M}\p{N}]+)*)/gu

/** What makes of `@name` a handle on another host or the scope of a package: `@ann@example.org`, `@effect/schema`. */
const continuation = /^(?:@|\/[\p{L}\p{N}])/u

/** The longest name that can be mentioned. */
const nameLimit = 200

/** The names that a text mentions, in its order, as often as it does. */
export const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const [mention, name = ""] = match
    const end = match.index + mention.length
    return name.length > nameLimit || continuation.test(text.slice(end, end + 3)) ? [] : [name]
  })

/**
 * Whom a message addresses: the given mentions, then the names in its text, each name once in its first spelling, 50 at
 * the most.
 */
export const mentionsOf = (given: ReadonlyArray<Mention>, text: string): ReadonlyArray<Mention> => {
  const mentions = new Map<string, Mention>()
  for (const mention of [...given, ...namesIn(text).map((target) => ({ target, kind: "actor" }))]) {
    const key = fold(mention.target)
    if (!mentions.has(key)) mentions.set(key, mention)
    if (mentions.size === mentionLimit) break
  }
  return [...mentions.values()]
}
