import { Effect } from "effect"
import { type ImportSource, personaKind } from "../../board/agent-profiles/ImportSource.ts"
import { sha256 } from "../../kernel/Digest.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Head } from "../definition-documents/Head.ts"
import type { Judgement } from "../definition-documents/Judgement.ts"
import { collisionsOf, destinationOf, type Linkable } from "./Collision.ts"
import { linkWith, type StoredLink } from "./Link.ts"
import { kindOf } from "./ListedDefinition.ts"
import type { DefinitionPreview, PreviewRequest } from "./Preview.ts"
import { type Targets, targets } from "./Targets.ts"

/** A head with what was found about it, and the source that a link to it will have. */
export interface Candidate {
  readonly head: Head
  readonly judgement: Judgement
  readonly source: ImportSource
}

/** Does something with the kind of target that a head is for, and with what the head says when it may be imported. */
export const onTargets = <A>(
  { head, judgement: { definition } }: Candidate,
  use: <Source, Content, Target extends Linkable>(
    on: Targets<Source, Content, Target>,
    said: Source | undefined
  ) => A
): A =>
  head.coordinate.kind === personaKind
    ? use(targets.persona, definition?.kind === "persona" ? definition.content : undefined)
    : use(targets.team, definition?.kind === "team" ? definition.content : undefined)

/** What an action finds on the board: looked up again in the unit that carries it out. */
export const planOf = <Source, Content, Target extends Linkable>(
  on: Targets<Source, Content, Target>,
  said: Source | undefined,
  { coordinate }: Head,
  request: Pick<PreviewRequest, "action" | "targetId">
) =>
  Effect.gen(function* () {
    const linked = yield* on.ofSource(coordinate)
    const targetId = destinationOf(coordinate, request, linked)
    const target = yield* on.find(targetId)
    const resolved = said === undefined ? undefined : yield* on.resolve(said, coordinate.authorPubkey)
    return {
      targetId,
      target,
      linked,
      resolved,
      collisions: collisionsOf(request.action, coordinate, { targetId, target, linked }),
      localRevision: on.revisionOf(target, resolved?.basis ?? [])
    }
  })
type Plan<Content, Target extends Linkable> = Effect.Effect.Success<
  ReturnType<typeof planOf<unknown, Content, Target>>
>

/** The link that a target has. */
export const storedLinkOf = (
  { kind }: Pick<Targets<never, never, never>, "kind">,
  target: Linkable | undefined
): StoredLink | undefined =>
  target?.source === undefined ? undefined : { targetId: target.id, targetKind: kind, source: target.source }

/** What an import would do. Nothing is written. */
export const previewOf = (
  candidate: Candidate,
  request: PreviewRequest
): Effect.Effect<DefinitionPreview, never, Sql> =>
  onTargets(candidate, (on, said) =>
    Effect.gen(function* () {
      const { head, judgement, source } = candidate
      const { content, created_at, id, kind, pubkey, tags } = head.event
      const importable = judgement.definition !== undefined
      const plan = yield* planOf(on, said, head, request)
      const link = storedLinkOf(on, plan.linked)
      return {
        action: request.action,
        coordinate: head.coordinate,
        kind: kindOf(head),
        // What is rejected is not repeated, here either (spec README, ruling 19).
        event: { id, pubkey, kind, created_at, ...(importable ? { tags, content } : {}) },
        contentHash: sha256(content),
        importable,
        fields: judgement.fields,
        targetId: plan.targetId,
        targetKind: on.kind,
        proposed: yield* proposedBy(on, plan, request, source),
        collisions: plan.collisions,
        unresolvedPersonas: plan.resolved?.unresolved ?? [],
        expectedEventId: id,
        expectedLocalRevision: plan.localRevision,
        link: link === undefined ? null : linkWith(link, head)
      }
    })
  )

const proposedBy = <Source, Content, Target extends Linkable>(
  on: Targets<Source, Content, Target>,
  { resolved, target, targetId }: Plan<Content, Target>,
  { action }: PreviewRequest,
  source: ImportSource
) => {
  if (resolved === undefined) return Effect.succeed(null)
  if (action === "create") return on.proposed({ id: targetId, ...resolved.content })
  if (target === undefined) return Effect.succeed(null)
  return on.proposed(action === "refresh" ? on.refreshed(target, resolved.content, source) : target)
}
