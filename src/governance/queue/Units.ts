import { Effect } from "effect"
import { founderOf } from "../../identity/Standing.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Retention } from "../../storage/Retention.ts"
import { moves, type Sql } from "../../storage/Sql.ts"
import * as Admission from "../admission/Units.ts"
import { type AdmissionRequest, demandOf } from "../capacity/AdmissionRequest.ts"
import { concealed, evaluated, fits, type LimitingScope, neverFits } from "../capacity/Capacity.ts"
import { endEntry } from "./EndEntry.ts"
import * as EntryRepo from "./EntryRepo.ts"
import { AdmissionOverload, AdmissionPolicyDenied } from "./Errors.ts"
import { AdmissionQueued, AdmissionRefused } from "./Events.ts"
import { limitsOf, planQueue, type Situation, situation } from "./PlanQueue.ts"

/*
 * What a launch asks of admission inside its own unit.
 */

/** Moves when somebody begins to wait, or waits again. */
export const entered = "admission-entered"

/** What a launch is told: it may start, or it waits. `limitingScopes` name hosts by digests alone. */
export type Admitted =
  | { readonly _tag: "Reserved"; readonly reservationId: string }
  | {
      readonly _tag: "Queued"
      readonly queueId: string
      readonly enqueuedAt: string
      readonly retryAfterMs: number
      readonly limitingScopes: ReadonlyArray<LimitingScope>
    }

/**
 * Lets a launch in, lets it wait, or refuses it (spec 3-runs, Admission). Who is refused leaves an audit entry behind, so
 * the unit is committed: ask before anything else of the launch is written. Asking again for the same attempt gives what
 * it has.
 */
export const admit = (
  request: AdmissionRequest,
  by: ActorContext
): Effect.Effect<Admitted, AdmissionOverload | AdmissionPolicyDenied, Sql> =>
  Effect.gen(function* () {
    const known = yield* knownOf(request.attemptId)
    if (known !== undefined) return known
    const now = yield* situation
    const limits = limitsOf(now.settings)
    const demand = demandOf(request)
    const never = concealed(neverFits(limits, demand))
    const [tooSmall] = never
    if (tooSmall !== undefined) {
      yield* note(request, "policy-denied", never, by)
      return yield* new AdmissionPolicyDenied({
        limitingScope: tooSmall,
        limitingScopes: never,
        terminal: true
      })
    }
    const limiting = yield* limitingOf(now, request)
    if (limiting === undefined) {
      const policies = evaluated(limits, now.usage, demand)
      const { leaseMs } = now.settings.queue
      const { reservationId } = yield* Admission.reserve(request, policies, leaseMs, by)
      return { _tag: "Reserved", reservationId }
    }
    return yield* enqueue(now, request, concealed(limiting), by)
  })

/** What an attempt has been given. */
const knownOf = (attemptId: string): Effect.Effect<Admitted | undefined, never, Sql> =>
  Effect.gen(function* () {
    const entry = yield* EntryRepo.ofAttempt(attemptId)
    if (entry !== undefined) return yield* queuedAs(entry)
    const held = yield* Admission.heldBy(attemptId)
    return held && { _tag: "Reserved", reservationId: held.id }
  })

const queuedAs = (entry: EntryRepo.StoredEntry): Effect.Effect<Admitted, never, Sql> =>
  Effect.map(situation, ({ settings, usage }) => ({
    _tag: "Queued",
    queueId: entry.id,
    enqueuedAt: iso(entry.enqueuedAt),
    retryAfterMs: settings.queue.retryAfterMs,
    limitingScopes: concealed(fits(limitsOf(settings), usage, entry))
  }))

/** The scopes that a request has to wait for; undefined when it need not wait. Who came before may take what is free. */
const limitingOf = (
  now: Situation,
  request: AdmissionRequest
): Effect.Effect<ReadonlyArray<LimitingScope> | undefined, never, Sql> =>
  Effect.gen(function* () {
    const demand = demandOf(request)
    const limiting = fits(limitsOf(now.settings), now.usage, demand)
    if (limiting.length > 0) return limiting
    if (!(yield* EntryRepo.anybodyWaits)) return undefined
    const last = {
      ...demand,
      seq: Number.MAX_SAFE_INTEGER,
      priority: EntryRepo.levelOf(request.priority),
      enqueuedAt: now.order.at
    }
    const { waiting } = yield* planQueue(now, { besides: [last] })
    return waiting.find(([entry]) => entry === last)?.[1]
  })

const wholeBoard = { scope: "global", scopeId: "global" } as const

const enqueue = (
  { settings: { queue } }: Situation,
  request: AdmissionRequest,
  limitingScopes: ReadonlyArray<LimitingScope>,
  by: ActorContext
): Effect.Effect<Admitted, AdmissionOverload, Sql> =>
  Effect.gen(function* () {
    const { retryAfterMs } = queue
    const room = !queue.enabled ? "off" : (yield* EntryRepo.waiting) >= queue.maxEntries ? "full" : "free"
    const [limitingScope = wholeBoard] = limitingScopes
    if (room !== "free") {
      yield* note(request, "overload", limitingScopes, by)
      return yield* new AdmissionOverload({ limitingScope, limitingScopes, retryAfterMs, queue: room })
    }
    const at = yield* now
    const queueId = yield* newId("queue")
    yield* EntryRepo.insert({ id: queueId, request, founder: founderOf(by), at })
    const { attemptId, priority, source, taskId } = request
    yield* Journal.record(
      new AdmissionQueued({ resourceId: queueId, taskId, attemptId, source, priority }),
      by
    )
    yield* moves(entered)
    return { _tag: "Queued", queueId, enqueuedAt: iso(at), retryAfterMs, limitingScopes }
  })

const note = (
  { attemptId, source, taskId }: AdmissionRequest,
  decision: "overload" | "policy-denied",
  limitingScopes: ReadonlyArray<LimitingScope>,
  by: ActorContext
): Effect.Effect<void, never, Sql> =>
  Journal.note(
    new AdmissionRefused({
      resourceId: attemptId,
      taskId,
      attemptId,
      source,
      decision,
      limitingScopes: limitingScopes.map(({ scope }) => ({ scope }))
    }),
    by
  )

/**
 * Takes an attempt out of the queue that is stopped before it started, and gives back what it was given. Tells whether
 * it waited: one that was dispatched does not.
 */
export const withdraw = (attemptId: string, by: ActorContext): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const entry = yield* EntryRepo.ofAttempt(attemptId)
    if (entry === undefined) return false
    // It was found because it waits.
    yield* Effect.orDie(endEntry(entry, "withdrawn", by))
    return true
  })

/** Entries that were dispatched or are over: thirty days of them, and the last thousand, whatever their age. */
export const entryRetention: Retention = {
  name: "admission",
  span: { days: 30, count: 1_000 },
  forget: EntryRepo.forgetOld
}
