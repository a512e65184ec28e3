import { Effect } from "effect"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { evidenceMs, isEvidence } from "./Registration.ts"
import * as RegistrationRepo from "./RegistrationRepo.ts"

/** An agent that registered itself, for those who choose a runtime for a run. */
export interface RegisteredAgent {
  readonly id: string
  readonly name: string
  readonly manifest: RuntimeManifest
  /** Whether the manifest is evidence now: the agent was heard of within the last five minutes. */
  readonly isEvidence: boolean
}

/** The agent that is registered under an id, heard of lately or not. */
export const registered = (id: string): Effect.Effect<RegisteredAgent | undefined, never, Sql> =>
  Effect.zipWith(RegistrationRepo.find(id), now, (found, at) =>
    found === undefined
      ? undefined
      : {
          id: found.profile.id,
          name: found.profile.name,
          manifest: found.manifest,
          isEvidence: isEvidence(found, at)
        }
  )

/** All agents whose manifests are evidence now, by their ids. */
export const live: Effect.Effect<ReadonlyArray<RegisteredAgent>, never, Sql> = Effect.flatMap(now, (at) =>
  Effect.map(RegistrationRepo.heardOfAfter(at - evidenceMs), (found) =>
    found.map(({ manifest, profile: { id, name } }) => ({ id, name, manifest, isEvidence: true }))
  )
)
