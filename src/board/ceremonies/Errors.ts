import { Schema } from "effect"

/** No ceremony has this id. */
export class CeremonyNotFound extends Schema.TaggedError<CeremonyNotFound>()("CeremonyNotFound", {
  ceremonyId: Schema.String
}) {}

/** The task has a ceremony of this type already that waits to be held. */
export class CeremonyPending extends Schema.TaggedError<CeremonyPending>()("CeremonyPending", {
  ceremonyId: Schema.String,
  ceremonyType: Schema.String,
  taskId: Schema.String
}) {}

/** The ceremony was held before. */
export class CeremonyCompleted extends Schema.TaggedError<CeremonyCompleted>()("CeremonyCompleted", {
  ceremonyId: Schema.String,
  completedAt: Schema.String
}) {}

/** The completion lacks artifacts. */
export class ArtifactsMissing extends Schema.TaggedError<ArtifactsMissing>()("ArtifactsMissing", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}
