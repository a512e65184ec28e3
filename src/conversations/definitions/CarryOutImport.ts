import { Effect } from "effect"
import type { AgentProfileLimitReached } from "../../board/agent-profiles/Errors.ts"
import type { RosterLimitReached } from "../../board/team-roster/Errors.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Sql } from "../../storage/Sql.ts"
import { isRejected } from "../definition-documents/Field.ts"
import {
  DefinitionCollides,
  DefinitionNotImportable,
  DefinitionSourceChanged,
  DefinitionTargetChanged,
  DefinitionTargetNotFound
} from "./Errors.ts"
import type { ImportRequest, ImportResult } from "./Import.ts"
import { linkWith } from "./Link.ts"
import { type Candidate, onTargets, planOf, storedLinkOf } from "./Plan.ts"

/** Why an import that was asked for does not happen. Nothing was written then. */
export type ImportRefused =
  | AgentProfileLimitReached
  | DefinitionCollides
  | DefinitionNotImportable
  | DefinitionSourceChanged
  | DefinitionTargetChanged
  | DefinitionTargetNotFound
  | RosterLimitReached

/**
 * Carries out an import in one unit: what the preview showed must still be so, at the relay as it was just read and on
 * the board as it is now. Of two imports at once the second finds another revision.
 */
export const importDefinition = (
  candidate: Candidate,
  request: ImportRequest,
  by: ActorContext
): Effect.Effect<ImportResult, ImportRefused, Sql> =>
  onTargets(candidate, (on, said) =>
    Effect.gen(function* () {
      const { head, judgement, source } = candidate
      const { action, expectedEventId, expectedLocalRevision } = request
      const { coordinate } = head
      if (head.event.id !== expectedEventId)
        return yield* new DefinitionSourceChanged({
          coordinate,
          expectedEventId,
          currentEventId: head.event.id
        })
      const plan = yield* planOf(on, said, head, request)
      const { collisions, linked, localRevision, resolved, target, targetId } = plan
      if (target === undefined && (action === "link" || action === "refresh"))
        return yield* new DefinitionTargetNotFound({ targetId })
      if (localRevision !== expectedLocalRevision)
        return yield* new DefinitionTargetChanged({
          targetId,
          expectedLocalRevision,
          currentLocalRevision: localRevision
        })
      if (collisions.length > 0) return yield* new DefinitionCollides({ coordinate, collisions })

      const result = (after: typeof target, link: typeof target, basis: ReadonlyArray<string>) => {
        const stored = storedLinkOf(on, link)
        return {
          action,
          coordinate,
          eventId: head.event.id,
          targetId,
          targetKind: on.kind,
          localRevision: on.revisionOf(after, basis),
          link: stored === undefined ? null : linkWith(stored, head)
        }
      }
      if (action === "skip")
        return { created: false as const, ...result(target, linked, resolved?.basis ?? []) }
      if (resolved === undefined)
        return yield* new DefinitionNotImportable({
          coordinate,
          fields: judgement.fields.filter(isRejected)
        })
      const { basis, content } = resolved
      if (target === undefined) {
        const made = yield* on.create({ id: targetId, content, source }, by)
        return { created: true as const, ...result(made, made, basis) }
      }
      const after = action === "link" ? on.linked(target, source) : on.refreshed(target, content, source)
      const changed = yield* on.change(target, after, by)
      return { created: false as const, ...result(changed, changed, basis) }
    })
  )
