import { Context, Effect, Layer } from "effect"
import type { AgentConfig } from "../../board/agents-config/AgentConfig.ts"
import { mayHaveAsked } from "../../board/agents-config/AgentsConfig.ts"
import { Programs } from "../../board/agents-config/Programs.ts"
import { isWellKnown, knownOf } from "../../board/agents-config/SupportRules.ts"
import * as Agents from "../../board/agents-config/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AgentRuntime } from "./AgentRuntime.ts"
import { type HostPreview, type HostPreviewRequest, preview } from "./HostPreview.ts"
import { runtimeOf, runtimes } from "./Units.ts"

/** What runs agents, configured and registered alike: the manifests that launches bind to their attempts. */
export interface RuntimeManifestsService {
  /**
   * The runtime of an agent, by its type or its id, for a launch or a worker: the program of a configured agent is asked
   * for its version first, unless it has said it within ten minutes and has not changed since. Undefined for an agent
   * that nobody knows.
   */
  readonly of: (agent: string) => Effect.Effect<AgentRuntime | undefined>
  /** Which runtimes have what is required. Programs are asked only for callers who may have that done (ruling 108). */
  readonly preview: (request: HostPreviewRequest, by: ActorContext) => Effect.Effect<HostPreview>
}

export class RuntimeManifests extends Context.Tag("muster/RuntimeManifests")<
  RuntimeManifests,
  RuntimeManifestsService
>() {
  static readonly layer = Layer.effect(
    RuntimeManifests,
    Effect.gen(function* () {
      const { read } = yield* Storage
      const programs = yield* Programs

      const probe = (agent: AgentConfig) => {
        const { command } = agent
        return command === undefined
          ? Effect.void
          : programs.look({ command, wellKnown: isWellKnown({ agent, known: knownOf(agent) }), mayAsk: true })
      }

      return RuntimeManifests.of({
        of: Effect.fn("RuntimeManifests.of")(function* (agent) {
          const { agents } = yield* read(Agents.current)
          const configured = agents.find(({ type }) => type === agent)
          if (configured !== undefined) yield* probe(configured)
          return yield* read(runtimeOf(agent))
        }),
        preview: Effect.fn("RuntimeManifests.preview")(function* ({ requiredRuntimeCapabilities }, by) {
          const { agents } = yield* read(Agents.current)
          if (mayHaveAsked(by)) {
            yield* Effect.forEach(agents, probe, { concurrency: 2, discard: true })
          }
          return preview(requiredRuntimeCapabilities, yield* read(runtimes))
        })
      })
    })
  )
}
