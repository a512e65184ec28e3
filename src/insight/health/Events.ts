import { Event } from "../../storage/events/Event.ts"
import { CircuitOverrideDraft, CircuitReport } from "./CircuitReport.ts"

export class CircuitReset extends Event("circuit.reset", "circuit", {
  state: CircuitReport.fields.state,
  failures: CircuitReport.fields.failures
}) {}

export class CircuitOverridden extends Event("circuit.overridden", "circuit", {
  mode: CircuitOverrideDraft.fields.mode,
  durationSeconds: CircuitOverrideDraft.fields.durationSeconds
}) {}

export class CircuitOverrideCleared extends Event("circuit.override-cleared", "circuit", {}) {}
