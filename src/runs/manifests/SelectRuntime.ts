import { Schema } from "effect"
import type { AgentProvider } from "../../board/agents-config/AgentConfig.ts"
import { isVisible } from "../../kernel/Characters.ts"
import { listOf, text } from "../../kernel/Text.ts"
import { guarantees } from "./RunControls.ts"
import type { CapabilityState, RuntimeManifest } from "./RuntimeManifest.ts"

/** What a run requires of its runtime, by the ids of capabilities exactly as manifests write them. */
export const RequiredCapabilities = listOf(
  text(200).pipe(
    Schema.filter(isVisible, {
      message: () => "Expected text that is not blank",
      jsonSchema: { minLength: 1 }
    })
  ),
  100
)

/** Whether a runtime has what is required of it, and what is to be said about that. */
export interface Selection {
  readonly compatible: boolean
  readonly reasons: ReadonlyArray<string>
}

/**
 * Judges a runtime by what is required (ruling 77). Ids match exactly. `supported` is enough, `advisory` too, with a
 * reason; `unsupported` and `unknown` are not, nor is what the manifest does not name.
 */
export const selectRuntime = (
  required: ReadonlyArray<string>,
  { capabilities }: Pick<RuntimeManifest, "capabilities">
): Selection => {
  const known = new Map(capabilities.map((capability) => [capability.id, capability]))
  const judged = [...new Set(required)].map((id) => {
    const capability = known.get(id)
    const why = capability?.reason ? `: ${capability.reason}` : ""
    switch (capability?.state) {
      case "supported":
        return { enough: true, reasons: [] }
      case "advisory":
        return { enough: true, reasons: [`${id} is advisory${why}`] }
      case "unsupported":
        return { enough: false, reasons: [`${id} is unsupported${why}`] }
      case "unknown":
        return { enough: false, reasons: [`${id} is unknown${why}`] }
      case undefined:
        return { enough: false, reasons: [`${id} is unknown: the manifest does not name it`] }
    }
  })
  return {
    compatible: judged.every(({ enough }) => enough),
    reasons: judged.flatMap(({ reasons }) => reasons)
  }
}

/**
 * How far a capability can be used in a run of an adapter: what the manifest says, and where it does not know, what the
 * adapter guarantees by itself. It is what controls show; what a launch requires is the manifest's to say alone.
 */
export const usableAs = (
  id: string,
  { capabilities }: Pick<RuntimeManifest, "capabilities">,
  adapter: AgentProvider
): { readonly state: CapabilityState; readonly reason: string | null } => {
  const said = capabilities.find((capability) => capability.id === id)
  const sure = guarantees[adapter][id]
  if (said !== undefined && said.state !== "unknown")
    return { state: said.state, reason: said.reason ?? null }
  return sure ?? { state: "unknown", reason: said?.reason ?? "The manifest does not name it" }
}
