import { marker } from "./signs/Marker.ts"

/** Shorter secrets are not taken out: they could be words. */
const shortest = 12

/** The secrets that this process holds, and how often each was handed in. */
const held = new Map<string, number>()

/**
 * Has these secrets taken out of every text, by their value, until the returned function is called: the keys and the
 * credentials that this process was started with.
 */
export const holdBack = (secrets: Iterable<string>): (() => void) => {
  const taken = [...secrets].filter((secret) => secret.length >= shortest)
  for (const secret of taken) held.set(secret, (held.get(secret) ?? 0) + 1)
  return () => {
    for (const secret of taken) {
      const left = (held.get(secret) ?? 1) - 1
      if (left === 0) held.delete(secret)
      else held.set(secret, left)
    }
  }
}

export const redactKnown = (text: string): string => {
  if (text.length < shortest) return text
  let result = text
  for (const secret of held.keys()) if (result.includes(secret)) result = result.replaceAll(secret, marker)
  return result
}

/** Whether a text ends within one of them: what follows may be the rest of it. */
export const endsInKnown = (text: string): boolean => {
  for (const secret of held.keys()) {
    const longest = Math.min(secret.length - 1, text.length)
    for (let length = longest; length > 0; length--) if (text.endsWith(secret.slice(0, length))) return true
  }
  return false
}
