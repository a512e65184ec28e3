import { Effect, Layer } from "effect"
import { StatusRules } from "../tasks/StatusRules.ts"
export const NoRules = Layer.succeed(StatusRules, {
  admit: () => Effect.void,
  automate: (change) => Effect.succeed(change.task)
})
