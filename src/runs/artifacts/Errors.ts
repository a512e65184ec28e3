import { Schema } from "effect"

/** No artifact has this id, or it is of another run or attempt, or it is no longer kept. */
export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", {
  artifactId: Schema.String
}) {}

/** The file of an artifact is gone, or is not what was put there. */
export class ArtifactDamaged extends Schema.TaggedError<ArtifactDamaged>()("ArtifactDamaged", {
  artifactId: Schema.String
}) {}

/** There is nothing at this offset: the artifact ends before it. */
export class RangeBeyondEnd extends Schema.TaggedError<RangeBeyondEnd>()("RangeBeyondEnd", {
  artifactId: Schema.String,
  offset: Schema.Int,
  sizeBytes: Schema.Int
}) {}

/** A JSONPath is none, or takes too long, or leads to more than an answer holds; or the artifact is no JSON. */
export class JsonPathRefused extends Schema.TaggedError<JsonPathRefused>()("JsonPathRefused", {
  reason: Schema.Literal("no-path", "too-long", "too-much", "no-json")
}) {}
