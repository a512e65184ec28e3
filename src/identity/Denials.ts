import { Chunk, Context, Effect, Layer, Queue } from "effect"
import { type ActorContext, actorOf } from "../kernel/Actor.ts"
import { compile, type Requirement } from "../kernel/Requirement.ts"
import * as Worker from "../kernel/Worker.ts"
import * as Journal from "../storage/events/Journal.ts"
import { Storage } from "../storage/Storage.ts"
import { type Lack, PermissionDenied } from "./Events.ts"

/** Somebody who wanted more than they may. */
export interface Denial {
  readonly by: ActorContext
  /** Method and path of the route, as the contract has them. */
  readonly route: string
  readonly lack: Lack
}

/** How many denials wait to be written; beyond it the oldest are lost, so that nobody can fill memory with them. */
const waiting = 1_000

/** How long denials are collected before they are written, so that a flood becomes a few rows. */
const pause = "250 millis"

const anyAgent = actorOf({ name: "agent", role: "agent", authMethod: "api-key" })

/** Whether a route is for admins alone: all that the role agent has is not enough, not even on this machine. */
export const isAdministrative = (requirement: Requirement): boolean =>
  !compile(requirement, "GET")(anyAgent, () => true)

/**
 * Denials on administrative routes, and of what only administrators may say in a body, as the audit chain is to
 * remember them (decision Q62).
 */
export interface DenialsService {
  /** Notes a denial; nobody waits until it is written. */
  readonly note: (denial: Denial) => void
}

export class Denials extends Context.Tag("muster/Denials")<Denials, DenialsService>() {
  static readonly layer = Layer.scoped(
    Denials,
    Effect.gen(function* () {
      const storage = yield* Storage
      const queue = yield* Queue.sliding<Denial>(waiting)
      const write = (denials: ReadonlyArray<Denial>) =>
        storage.write(
          Effect.forEach(grouped(denials), ([{ by, lack, route }, times]) =>
            Journal.note(new PermissionDenied({ resourceId: route, ...lack, times }), by)
          )
        )
      const round = Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const first = yield* restore(Queue.take(queue))
          // Also when the server stops meanwhile, what was taken is written.
          yield* Effect.exit(restore(Effect.sleep(pause)))
          yield* write([first, ...(yield* Queue.takeAll(queue))])
        })
      )
      yield* Effect.addFinalizer(() =>
        Effect.flatMap(Queue.takeAll(queue), (rest) =>
          Chunk.isEmpty(rest) ? Effect.void : Effect.ignoreLogged(Effect.sandbox(write([...rest])))
        )
      )
      yield* Worker.start("audit:denials", round)
      return Denials.of({ note: (denial) => queue.unsafeOffer(denial) })
    })
  )
}

/** Equal denials once each, with how often they came. */
export const grouped = (denials: ReadonlyArray<Denial>): ReadonlyArray<readonly [Denial, number]> => {
  const groups = new Map<string, readonly [Denial, number]>()
  for (const denial of denials) {
    const { by, lack, route } = denial
    const key = JSON.stringify([by.name, by.authMethod, route, lack])
    groups.set(key, [denial, (groups.get(key)?.[1] ?? 0) + 1])
  }
  return [...groups.values()]
}
