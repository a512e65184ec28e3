import { Schema } from "effect"
import { DefinitionCoordinate } from "../../board/agent-profiles/ImportSource.ts"
import { created } from "../../kernel/Created.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue } from "../../kernel/Text.ts"
import { ImportAction } from "./Collision.ts"
import { hex64 } from "./Hex.ts"
import { DefinitionLink, TargetKind } from "./Link.ts"
import { CoordinateInput } from "./Preview.ts"
import { targetIdOf } from "./TargetId.ts"

/** The body of an import: what a preview showed, and what to do. */
export const ImportRequest = Schema.Struct({
  coordinate: CoordinateInput,
  action: ImportAction,
  targetId: optional(IdParam),
  expectedEventId: hex64("the event id of the preview"),
  expectedLocalRevision: hex64("the local revision of the preview")
})
  .pipe(
    Schema.filter(({ action, coordinate, targetId }) => {
      if (targetId === undefined)
        return action === "link" || action === "refresh"
          ? { path: ["targetId"], message: `Expected the id of what to ${action}` }
          : undefined
      return action === "create" && targetId !== targetIdOf(coordinate)
        ? { path: ["targetId"], message: `Expected ${targetIdOf(coordinate)}, or nothing` }
        : undefined
    })
  )
  .annotations({ identifier: "DefinitionImportRequest", ...everyIssue })
export type ImportRequest = typeof ImportRequest.Type

const result = {
  action: ImportAction,
  coordinate: DefinitionCoordinate,
  eventId: Schema.String,
  targetId: Schema.String,
  targetKind: TargetKind,
  localRevision: Schema.String.annotations({ description: "What a next import expects here" }),
  link: Schema.NullOr(DefinitionLink)
}

/** What came of an import that made a profile or a roster. */
const Made = Schema.Struct({ created: Schema.Literal(true), ...result }).annotations({
  identifier: "DefinitionCreated"
})
export const DefinitionCreated = created(Made)

/** What came of an import that made nothing. */
export const DefinitionImported = Schema.Struct({ created: Schema.Literal(false), ...result }).annotations({
  identifier: "DefinitionImported"
})

export type ImportResult = typeof Made.Type | typeof DefinitionImported.Type
