import { Effect, type Scope } from "effect"
import { system } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import type * as Worker from "../../kernel/Worker.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import { approvalStream } from "./Events.ts"
import { keep } from "./KeepApproval.ts"
import * as RunApprovalRepo from "./RunApprovalRepo.ts"
import { Command, decide } from "./Transition.ts"

/** How many approvals a unit expires. */
const pieceSize = 100

/** How often the clock is looked at while something waits, in milliseconds: a machine may sleep meanwhile (ruling 86). */
const longestLook = 5_000

/** Writes down what has expired, up to so many. */
const expireDue = Effect.gen(function* () {
  const at = yield* now
  const due = yield* RunApprovalRepo.due(at, pieceSize)
  for (const before of due) yield* keep(before, decide(before, Command.Expire({ at })).approval, system)
})

/**
 * Writes down what expires, so that whoever asked hears it within five seconds. Readers need not wait for it: they
 * compare the time themselves.
 */
export const startExpiry: Effect.Effect<void, never, Storage | Worker.Workers | Scope.Scope> = Effect.gen(
  function* () {
    const storage = yield* Storage
    yield* Wakes.startDue("approval-expiry", [approvalStream], () =>
      Effect.gen(function* () {
        for (;;) {
          const at = yield* now
          const next = yield* storage.read(RunApprovalRepo.nextDue)
          if (next === undefined || next > at) {
            return next === undefined ? undefined : Math.min(next, at + longestLook)
          }
          yield* storage.write(expireDue)
        }
      })
    )
  }
)
