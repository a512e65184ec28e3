import { Effect, FiberMap, type Scope } from "effect"
import { Circuits } from "../../kernel/outbound/Circuits.ts"
import { Outbound } from "../../kernel/outbound/Outbound.ts"
import { Secrets } from "../../kernel/Secrets.ts"
import { now } from "../../kernel/Time.ts"
import type * as Worker from "../../kernel/Worker.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import { attempt, deliveryCircuit } from "./AttemptDelivery.ts"
import { attemptLimit, type Outcome, pauseAfter } from "./Execution.ts"
import * as ExecutionRepo from "./ExecutionRepo.ts"
import * as HookRepo from "./HookRepo.ts"

/**
 * Delivers what is queued. Each hook has one delivery under way at a time, so a target that hangs delays its own
 * deliveries and nothing else; there are as many at once as there are hooks. A delivery is over when its outcome is
 * stored: a process that dies in between sends it again, under the same id.
 */
export const startDeliveries: Effect.Effect<
  void,
  never,
  Storage | Outbound | Circuits | Secrets | Worker.Workers | Scope.Scope
> = Effect.gen(function* () {
  const storage = yield* Storage
  const means = { storage, outbound: yield* Outbound, secrets: yield* Secrets }
  const circuits = yield* Circuits
  yield* circuits.register(deliveryCircuit)
  const underWay = yield* FiberMap.make<string>()
  const guard = circuits.protect<Outcome, never>(deliveryCircuit, () => undefined)

  const deliver = (due: ExecutionRepo.Due, ring: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const hook = yield* storage.read(HookRepo.find(due.hookId))
      const startedAt = yield* now
      if (hook === undefined) return yield* storage.write(ExecutionRepo.dropAllOf(due.hookId, "hook-deleted"))
      const outcome = yield* Effect.catchTag(guard(attempt(hook, due, means)), "CircuitOpen", (open) =>
        Effect.succeed<Outcome>({ _tag: "PutOff", error: "blocked", retryAfterMs: open.retryAfterMs })
      )
      const endedAt = yield* now
      yield* storage.write(settle(due, outcome, startedAt, endedAt))
    }).pipe(
      Effect.catchAllCause((cause) => Effect.logError(`Delivery ${due.id} could not be noted`, cause)),
      Effect.ensuring(ring)
    )

  yield* Wakes.startDue("webhook-deliveries", [ExecutionRepo.queue], (ring) =>
    Effect.gen(function* () {
      const at = yield* now
      const [next, due] = yield* storage.read(Effect.all([ExecutionRepo.nextDue(at), ExecutionRepo.due(at)]))
      for (const delivery of due) {
        yield* FiberMap.run(underWay, delivery.hookId, deliver(delivery, ring), { onlyIfMissing: true })
      }
      return next
    })
  )
})

/** Stores what came of an attempt. */
const settle = (due: ExecutionRepo.Due, outcome: Outcome, startedAt: number, endedAt: number) => {
  const attempts = due.attempts + 1
  const base = { attempts, startedAt, durationMs: Math.max(0, endedAt - startedAt) }
  switch (outcome._tag) {
    case "Success":
      return ExecutionRepo.note(due.id, { ...base, status: "success", statusCode: outcome.statusCode })
    case "Final":
      return ExecutionRepo.note(due.id, { ...base, status: "failed", ...codesOf(outcome) })
    case "PutOff":
      return ExecutionRepo.putOff(due.id, outcome.error, endedAt + Math.max(1_000, outcome.retryAfterMs))
    case "Again":
      return attempts >= attemptLimit
        ? ExecutionRepo.note(due.id, { ...base, status: "failed", ...codesOf(outcome) })
        : Effect.flatMap(pauseAfter(attempts, outcome.retryAfterMs), (pause) =>
            ExecutionRepo.note(due.id, {
              ...base,
              status: "retrying",
              ...codesOf(outcome),
              nextAt: endedAt + pause
            })
          )
  }
}

const codesOf = ({ error, statusCode }: { readonly error: string; readonly statusCode?: number }) => ({
  error,
  statusCode
})
