import { createContext, Script } from "node:vm"
import { Effect } from "effect"
import { codeOf } from "../../kernel/FileTrouble.ts"
import { isDeeperThan } from "../../kernel/Json.ts"
import { JsonPathRefused } from "./Errors.ts"

/** How long a path may take, in milliseconds: nothing else is answered meanwhile. */
const patience = 250

/** How deep a document may be nested: the evaluation of a path calls itself for each level. */
const depthLimit = 500

/** How many bytes of JSON, in UTF-16 units, a path may lead to. */
const resultLimit = 1_048_576

/** How many values a path may lead to. */
const matchLimit = 100_000

/** The evaluator is loaded with the first path. */
const evaluator = Effect.promise(() => import("jsonpath-rfc9535"))

/** A path that leads to one value at the most: names and indexes alone. */
const singular =
  /^\$(?:\s*\.[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*|\s*\[\s*(?:-?\d+|'[^'\\]*'|"[^"\\]*")\s*\])*$/

const timed = new Script("work()")

class TooMuch extends Error {}

/** Runs work in this thread and breaks it off when it takes too long, also within one regular expression. */
const within = <A>(work: () => A): A => {
  // The script gives what `work` gives.
  return timed.runInContext(createContext({ work }), { timeout: patience }) as A
}

/** Values that a path leads to. */
export interface Matches {
  readonly content: unknown
  readonly matches: number
}

/**
 * Follows a path of RFC 9535 in a JSON text: its value, or null, where it can lead to one alone; else a list of all. What
 * comes from outside, the path and the text, can take no more than a quarter of a second.
 */
export const followPath = (json: string, path: string): Effect.Effect<Matches, JsonPathRefused> =>
  Effect.flatMap(evaluator, ({ exec }) =>
    Effect.try({
      try: () => {
        const document = parse(json)
        const found: Array<unknown> = []
        within(() =>
          exec(document, path, (value) => {
            if (found.push(value) > matchLimit) throw new TooMuch()
          })
        )
        const content = singular.test(path) ? (found[0] ?? null) : found
        if (JSON.stringify(content).length > resultLimit) throw new TooMuch()
        return { content, matches: found.length }
      },
      catch: (error) =>
        error instanceof JsonPathRefused
          ? error
          : new JsonPathRefused({
              reason:
                error instanceof TooMuch
                  ? "too-much"
                  : codeOf(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT" || error instanceof RangeError
                    ? "too-long"
                    : "no-path"
            })
    })
  )

const parse = (json: string) => {
  try {
    if (!isDeeperThan(json, depthLimit)) return JSON.parse(json)
  } catch {
    // It is no JSON.
  }
  throw new JsonPathRefused({ reason: "no-json" })
}
