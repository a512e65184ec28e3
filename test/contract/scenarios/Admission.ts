import { Effect } from "effect"
import type { Storage } from "../../../src/storage/Storage.ts"
import { choose, launch, launchLater } from "../../governance/queue/Launches.ts"
import { given, type Scenario } from "./Scenario.ts"

/** One that runs, and one that waits behind it in the same workspace. No request makes them without an agent. */
const aQueue: Effect.Effect<{ readonly id: string; readonly queueId: string }, never, Storage> = Effect.gen(
  function* () {
    yield* choose({ limits: { workspace: { runs: 1 } }, queue: { enabled: true, maxEntries: 200 } })
    const workspaceId = `crew-${yield* Effect.clockWith((clock) => clock.currentTimeNanos)}`
    const runs = yield* launch(`runs-${workspaceId}`, { workspaceId })
    const { queueId } = yield* launchLater(`waits-${workspaceId}`, { workspaceId })
    return { id: runs._tag === "Reserved" ? runs.reservationId : "", queueId }
  }
).pipe(Effect.orDie)

export const admission: Readonly<Record<string, Scenario>> = {
  "admission.list": given(
    () => aQueue,
    () => ({ query: "?state=active&state=released&provider=command&limit=5" })
  ),
  "admission.get": given(
    () => aQueue,
    ({ id }) => ({ path: { id } })
  ),
  "admissionQueue.list": given(
    () => aQueue,
    () => ({ query: "?source=manual&limitingScope=workspace&page=1&limit=10" })
  ),
  "admissionQueue.inspect": given(
    () => aQueue,
    ({ queueId }) => ({ path: { id: queueId } })
  ),
  "admissionQueue.cancel": given(
    () => aQueue,
    ({ queueId }) => ({ path: { id: queueId } })
  )
}
