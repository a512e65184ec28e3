import { Effect } from "effect"
import { digest, sha256 } from "../../kernel/Digest.ts"
import { parseStored } from "../../kernel/Json.ts"
import type { Sql } from "../../storage/Sql.ts"
import { activeOf, keepLaunch, launchBy } from "../attempts/Units.ts"
import { AttemptActive, LaunchKeyReused } from "./Errors.ts"
import type { Launched, Wish } from "./LaunchRequest.ts"

/** The key of a start, as it is stored, and what it was for. */
export interface Once {
  readonly hash: string
  readonly fingerprint: string
}

/** What a start with this key was answered; a start without one was never answered before. */
export const knownStart = (
  taskId: string,
  once: Once | undefined
): Effect.Effect<Launched | undefined, LaunchKeyReused, Sql> =>
  Effect.gen(function* () {
    if (once === undefined) return undefined
    const known = yield* launchBy(taskId, once.hash)
    if (known === undefined) return undefined
    if (known.fingerprint !== once.fingerprint) return yield* new LaunchKeyReused({ taskId })
    return parseStored<Launched>(known.answer)
  })

/** A task has one attempt at a time. */
export const requireIdle = (taskId: string): Effect.Effect<void, AttemptActive, Sql> =>
  Effect.flatMap(activeOf(taskId), (active) =>
    active === undefined ? Effect.void : new AttemptActive({ taskId, attemptId: active.id })
  )

/** What a start with a key is known by; without a key it is known by nothing. */
export const onceFor = (key: string | undefined, wish: Wish): Once | undefined =>
  key === undefined ? undefined : { hash: sha256(key), fingerprint: digest(wish) }

/** Keeps what a start with a key was answered. */
export const keepStart = (once: Once | undefined, answer: Launched): Effect.Effect<void, never, Sql> => {
  if (once === undefined) return Effect.void
  const { attemptId, taskId } = answer
  const { fingerprint, hash } = once
  return keepLaunch(taskId, hash, attemptId, { fingerprint, answer: JSON.stringify(answer) })
}
