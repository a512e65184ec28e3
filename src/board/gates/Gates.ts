import { Effect, Layer } from "effect"
import { spendHeld } from "../ceremonies/Units.ts"
import { enforcement } from "../settings/Units.ts"
import { StatusRules } from "../tasks/StatusRules.ts"
import { emitTelemetry, keepTime, tellSquad } from "./Automation.ts"
import { requireCeremonies } from "./CeremonyGates.ts"
import { completion } from "./CompletionGates.ts"

/**
 * The enforcement gates as the rules of every status change (spec 1-core, Enforcement gates). They are read from the
 * settings in the unit of the change, so a gate takes effect with the next change; without them nothing is enforced.
 */
export const Gates = Layer.succeed(StatusRules, {
  admit: (change) =>
    Effect.flatMap(enforcement, (gates) =>
      gates === undefined || change.to !== "done"
        ? Effect.void
        : Effect.zipRight(completion(gates, change.task), requireCeremonies(gates, change))
    ),
  automate: (change) =>
    Effect.gen(function* () {
      if (change.from === "done") yield* spendHeld(change.task.id)
      const gates = yield* enforcement
      if (gates === undefined) return change.task
      const task = gates.autoTimeTracking ? yield* keepTime(change) : change.task
      if (gates.autoTelemetry) yield* emitTelemetry(change)
      if (gates.squadChat) yield* tellSquad(change)
      return task
    })
})
