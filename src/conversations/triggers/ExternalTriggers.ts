import { Context, type Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { TriggerContext } from "./TriggerRepo.ts"

/** A workflow that a message is to start, and who starts it: the maker of the rule, with what they may do now. */
export interface ExternalTrigger {
  readonly causalKey: string
  readonly workflowId: string
  readonly context: TriggerContext
  readonly by: ActorContext
}

/** What came of it. */
export type Dispatched =
  | { readonly _tag: "Launched"; readonly runId: string }
  | { readonly _tag: "Waiting"; readonly reasonCode: string }
  | { readonly _tag: "Denied"; readonly reasonCode: string }
  | { readonly _tag: "Failed"; readonly reasonCode: string }

/** What messages ask of the room that runs workflows: the hook `workflow.pre-external-trigger`. */
export interface ExternalTriggersService {
  /**
   * Starts a workflow. It is called again after a crash: whoever answers first looks for a run with this causal key,
   * and gives that one back.
   */
  readonly dispatch: (trigger: ExternalTrigger) => Effect.Effect<Dispatched>
  /** Whether there is such a workflow, as far as that can be told. */
  readonly workflow: (workflowId: string) => Effect.Effect<"unknown" | "exists" | "missing">
  /** Whether somebody may execute a workflow. */
  readonly mayExecute: (workflowId: string, by: ActorContext) => Effect.Effect<boolean>
}

export class ExternalTriggers extends Context.Tag("muster/ExternalTriggers")<
  ExternalTriggers,
  ExternalTriggersService
>() {}
