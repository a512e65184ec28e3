import { Effect } from "effect"
import { newId } from "../../kernel/Ids.ts"
import type { OutboxEvent } from "../../storage/events/Outbox.ts"
import type { Projection } from "../../storage/events/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import { matches } from "./definitions/Hook.ts"
import * as ExecutionRepo from "./ExecutionRepo.ts"
import { filterable, happenings } from "./HookFacts.ts"
import * as HookRepo from "./HookRepo.ts"

/** Queues a delivery for each hook that waited for an event, in the unit that moves the cursor past it. */
const queue = (event: OutboxEvent): Effect.Effect<void, never, Sql> =>
  Effect.forEach(
    happenings(event),
    ({ event: name, facts }) =>
      Effect.gen(function* () {
        const hooks = yield* HookRepo.waitedFor(name, event.seq)
        if (hooks.length === 0) return
        const said = yield* filterable(facts)
        for (const { filter, id: hookId } of hooks) {
          if (!matches(filter, said)) continue
          yield* ExecutionRepo.enqueue(
            { id: yield* newId("delivery"), hookId, event: name, facts },
            event.createdAt
          )
        }
      }),
    { discard: true }
  )

/** Queues deliveries for everything that is committed, within about 50 ms. */
export const hookQueue: Projection = { name: "hooks", apply: queue, gather: "50 millis" }
