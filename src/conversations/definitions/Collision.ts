import { Schema } from "effect"
import {
  type DefinitionCoordinate,
  type ImportSource,
  isSame
} from "../../board/agent-profiles/ImportSource.ts"
import { targetIdOf } from "./TargetId.ts"

/** What is done with a definition (spec 2-relay, Definition coordinate and import). */
export const ImportAction = Schema.Literal("create", "link", "refresh", "skip").annotations({
  identifier: "ImportAction"
})
export type ImportAction = typeof ImportAction.Type

/** What is in the way of an import. */
export const Collision = Schema.Struct({
  reason: Schema.Literal(
    "target_exists",
    "target_missing",
    "target_linked_elsewhere",
    "already_linked",
    "not_linked"
  ),
  targetId: Schema.String,
  message: Schema.String
}).annotations({ identifier: "DefinitionCollision" })
export type Collision = typeof Collision.Type

/** What a definition may be linked to: a profile or a roster. */
export interface Linkable {
  readonly id: string
  readonly source?: ImportSource
}

/** What the board has where a definition would go, and what it has of this definition already. */
export interface Standing<Target extends Linkable> {
  readonly targetId: string
  readonly target: Target | undefined
  readonly linked: Target | undefined
}

/** Where an action leads: where the request says, or where the definition is, or where it would be created. */
export const destinationOf = (
  coordinate: DefinitionCoordinate,
  { action, targetId }: { readonly action: ImportAction; readonly targetId?: string },
  linked: Linkable | undefined
): string => targetId ?? (action === "create" ? undefined : linked?.id) ?? targetIdOf(coordinate)

/** All that is in the way of an action. */
export const collisionsOf = (
  action: ImportAction,
  coordinate: DefinitionCoordinate,
  { linked, target, targetId }: Standing<Linkable>
): ReadonlyArray<Collision> => {
  const collision = (reason: Collision["reason"], id: string, message: string): Collision => ({
    reason,
    targetId: id,
    message
  })
  const elsewhere =
    linked !== undefined && linked.id !== targetId
      ? [collision("already_linked", linked.id, `The definition is linked to ${linked.id} already`)]
      : []
  const isOthers = target?.source !== undefined && !isSame(target.source.coordinate, coordinate)
  const missing =
    target === undefined ? [collision("target_missing", targetId, `There is no ${targetId}`)] : []
  switch (action) {
    case "skip":
      return []
    case "create":
      return [
        ...(target === undefined
          ? []
          : [
              collision(
                "target_exists",
                targetId,
                `There is a ${targetId} already${isOthers ? ", from another definition" : ": link or refresh it"}`
              )
            ]),
        ...elsewhere
      ]
    case "link":
      return [
        ...missing,
        ...(isOthers
          ? [
              collision(
                "target_linked_elsewhere",
                targetId,
                `${targetId} is linked to another definition already`
              )
            ]
          : []),
        ...elsewhere
      ]
    case "refresh":
      return target === undefined
        ? missing
        : linked?.id === targetId
          ? []
          : [collision("not_linked", targetId, `${targetId} is not linked to the definition: link it first`)]
  }
}
