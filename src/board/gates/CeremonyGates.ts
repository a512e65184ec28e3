import { Effect } from "effect"
import { recordGovernance } from "../../insight/traces/Units.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { CeremonyReason } from "../ceremonies/Ceremony.ts"
import { callOnce, isHeld } from "../ceremonies/Units.ts"
import type { Enforcement } from "../settings/Settings.ts"
import { CeremonyRequired } from "../tasks/Errors.ts"
import type { StatusChange } from "../tasks/StatusRules.ts"
import { type CeremonyGate, ceremonyGates, workersOf } from "./CeremonyReasons.ts"

/** A ceremony that a completion lacks. */
interface Lacking extends Pick<CeremonyGate, "gate" | "type"> {
  readonly mode: "warn" | "block"
  readonly reasons: ReadonlyArray<CeremonyReason>
}

/**
 * The ceremony gates of a completion. One that blocks calls the ceremony and refuses; those that warn call it, leave a
 * governance trace, and let the completion pass. A ceremony that was held since the task was last reopened satisfies
 * its gate, and of each type a task waits for one.
 */
export const requireCeremonies = (
  gates: Enforcement,
  change: StatusChange
): Effect.Effect<void, CeremonyRequired, Sql> =>
  Effect.gen(function* () {
    const lacking = yield* lackingOf(gates, change)
    const blocking = lacking.find(({ mode }) => mode === "block")
    if (blocking !== undefined) return yield* new CeremonyRequired(yield* demand(blocking, change))
    for (const warning of lacking) {
      const { taskId, ...details } = yield* demand(warning, change)
      yield* recordGovernance({ kind: "ceremony.required", taskId, details }, change.by)
    }
  })

const lackingOf = (
  gates: Enforcement,
  { task }: StatusChange
): Effect.Effect<ReadonlyArray<Lacking>, never, Sql> =>
  Effect.gen(function* () {
    const lacking: Array<Lacking> = []
    for (const { gate, reasonsOf, type } of ceremonyGates) {
      const mode = gates[gate]
      if (mode === "off") continue
      const reasons = reasonsOf(task)
      if (reasons.length === 0 || (yield* isHeld(task.id, type))) continue
      lacking.push({ gate, type, mode, reasons })
    }
    return lacking
  })

/** Calls the ceremony, unless the task waits for it already, and says what is asked. */
const demand = ({ gate, mode, reasons, type }: Lacking, { by, task }: StatusChange) =>
  Effect.map(callOnce({ type, taskId: task.id, participants: workersOf(task) }, by, reasons), (ceremony) => ({
    gate,
    mode,
    ceremonyId: ceremony.id,
    ceremonyType: type,
    taskId: task.id,
    reasons
  }))
