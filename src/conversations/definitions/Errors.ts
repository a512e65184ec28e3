import { Schema } from "effect"
import { DefinitionCoordinate } from "../../board/agent-profiles/ImportSource.ts"
import { Field } from "../definition-documents/Field.ts"
import { Reason } from "../wire/Reason.ts"
import { Collision } from "./Collision.ts"

/** The relay can't be asked for definitions now. */
export class DefinitionsUnavailable extends Schema.TaggedError<DefinitionsUnavailable>()(
  "DefinitionsUnavailable",
  { adapterId: Schema.String, reasonCode: Reason }
) {}

/** The relay has no definition under this coordinate. */
export class DefinitionNotFound extends Schema.TaggedError<DefinitionNotFound>()("DefinitionNotFound", {
  coordinate: DefinitionCoordinate
}) {}

/** There is no profile, or no roster, to link or to refresh. */
export class DefinitionTargetNotFound extends Schema.TaggedError<DefinitionTargetNotFound>()(
  "DefinitionTargetNotFound",
  { targetId: Schema.String }
) {}

/** The definition that was looked at is no longer the current one. */
export class DefinitionSourceChanged extends Schema.TaggedError<DefinitionSourceChanged>()(
  "DefinitionSourceChanged",
  { coordinate: DefinitionCoordinate, expectedEventId: Schema.String, currentEventId: Schema.String }
) {}

/** The profile, or the roster, is no longer what it was when the import was looked at. */
export class DefinitionTargetChanged extends Schema.TaggedError<DefinitionTargetChanged>()(
  "DefinitionTargetChanged",
  { targetId: Schema.String, expectedLocalRevision: Schema.String, currentLocalRevision: Schema.String }
) {}

/** Something that is there already is in the way of the import. */
export class DefinitionCollides extends Schema.TaggedError<DefinitionCollides>()("DefinitionCollides", {
  coordinate: DefinitionCoordinate,
  collisions: Schema.Array(Collision)
}) {}

/** The current definition holds what is never imported. */
export class DefinitionNotImportable extends Schema.TaggedError<DefinitionNotImportable>()(
  "DefinitionNotImportable",
  { coordinate: DefinitionCoordinate, fields: Schema.Array(Field) }
) {}
