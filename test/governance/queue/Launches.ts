import { Effect, Layer } from "effect"
import { FeatureSettings } from "../../../src/board/settings/FeatureSettings.ts"
import type { FeaturesPatch } from "../../../src/board/settings/Settings.ts"
import * as Admission from "../../../src/governance/admission/Units.ts"
import { type AdmissionRequest, LaunchSource } from "../../../src/governance/capacity/AdmissionRequest.ts"
import {
  type Claimed,
  Dispatch,
  type Dispatched,
  type Withdrawn
} from "../../../src/governance/queue/Dispatch.ts"
import { DispatchQueue } from "../../../src/governance/queue/DispatchQueue.ts"
import { Queue } from "../../../src/governance/queue/Queue.ts"
import { type Admitted, admit } from "../../../src/governance/queue/Units.ts"
import { Standing } from "../../../src/identity/Standing.ts"
import { Workers } from "../../../src/kernel/Worker.ts"
import { rows } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { tester } from "../../support/Journal.ts"

/** A launch of an attempt. */
export const requestOf = (attemptId: string, more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  schemaVersion: "admission-request/v1",
  source: "manual",
  priority: "medium",
  workspaceId: "default",
  provider: "command",
  hostId: "machine-of-ann",
  taskId: `task-of-${attemptId}`,
  rootTaskId: `task-of-${attemptId}`,
  attemptId,
  capacity: { runs: 1, processes: 1, memoryMb: 0 },
  tree: {
    schemaVersion: "execution-tree-identity/v1",
    rootObjectiveId: `task-of-${attemptId}`,
    nodeId: `node-of-${attemptId}`,
    parentNodeId: null,
    depth: 0
  },
  ...more
})

/** Asks for capacity, as a launch does. */
export const launch = (attemptId: string, more: Partial<AdmissionRequest> = {}) =>
  Effect.flatMap(Storage, ({ write }) => write(admit(requestOf(attemptId, more), tester)))

/** The same for a launch that has to wait; gives the id of its entry. */
export const launchLater = (attemptId: string, more: Partial<AdmissionRequest> = {}) =>
  Effect.filterOrDieMessage(
    launch(attemptId, more),
    (admitted): admitted is Extract<Admitted, { _tag: "Queued" }> => admitted._tag === "Queued",
    `${attemptId} did not have to wait`
  )

/** An attempt ends. */
export const end = (attemptId: string) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(Admission.release(attemptId, { reason: "attempt-ended", by: tester }))
  )

/** Chooses settings of admission. */
export const choose = (admission: NonNullable<FeaturesPatch["admission"]>) =>
  Effect.flatMap(FeatureSettings, ({ patch }) => patch({ admission }, tester)).pipe(
    Effect.provide(FeatureSettings.layer)
  )

/** Lets so many run at once in a workspace. */
export const room = (runs: number) => choose({ limits: { workspace: { runs } } })

/** What a stand-in for launches was told. */
export interface Told {
  readonly begun: Array<Claimed>
  readonly withdrawn: Array<Withdrawn>
}

/** A stand-in for launches: it notes what it is told, and answers what it is given. */
export const launches = (
  answer: (claimed: Claimed) => Effect.Effect<Dispatched> = () => Effect.succeed({ _tag: "Begun" })
) => {
  const told: Told = { begun: [], withdrawn: [] }
  const layer = Layer.succeed(Dispatch, [
    {
      sources: LaunchSource.literals,
      dispatch: (claimed) =>
        Effect.tap(
          Effect.suspend(() => answer(claimed)),
          ({ _tag }) => Effect.sync(() => _tag === "Begun" && told.begun.push(claimed))
        ),
      withdraw: (withdrawn) => Effect.sync(() => void told.withdrawn.push(withdrawn))
    }
  ])
  return { told, layer }
}

/** Everybody may what they might, unless it says otherwise. */
export const standing = (may = true) =>
  Layer.succeed(Standing, {
    now: (founder) =>
      Effect.succeed({ ...founder, permissions: may ? new Set(founder.permissions) : new Set() })
  })

/** The queue and who works on it. */
export const atWork = (layer: Layer.Layer<Dispatch>, standingLayer = standing()) =>
  Layer.merge(Queue.layer, DispatchQueue).pipe(Layer.provide([layer, standingLayer, Workers.layer]))

/** Where everybody stands: attempts by the state of their entries. */
export const states = Effect.flatMap(Storage, ({ read }) =>
  Effect.map(
    read(
      rows<{ attemptId: string; state: string }>(
        (sql) => sql`SELECT attempt_id AS attemptId, state FROM admission_queue ORDER BY seq`
      )
    ),
    (found) => Object.fromEntries(found.map(({ attemptId, state }) => [attemptId, state]))
  )
)

/** How many hold capacity. */
export const running = Effect.flatMap(Storage, ({ read }) =>
  Effect.map(read(Admission.taken), (taken) => taken.reduce((sum, { capacity }) => sum + capacity.runs, 0))
)

/** Waits until something is so. */
export const until = <E, R>(condition: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.asVoid(Effect.repeat(Effect.delay(condition, 2), { until: (is) => is }))
