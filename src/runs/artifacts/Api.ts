import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { TaskIdParam } from "../../board/tasks/Task.ts"
import * as TaskWire from "../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import * as AttemptWire from "../attempts/Wire.ts"
import { ArtifactReading } from "./Artifact.ts"
import { ArtifactQuery, DownloadQuery } from "./ArtifactQuery.ts"
import * as Wire from "./Wire.ts"

const ArtifactPath = Schema.Struct({ taskId: TaskIdParam, artifactId: IdParam })

/** The bytes of an artifact. */
const ArtifactBytes = HttpApiSchema.Uint8Array({ contentType: "application/octet-stream" })

/** A part of them. */
const SomeArtifactBytes = ArtifactBytes.annotations(HttpApiSchema.annotations({ status: 206 }))

export const OutputArtifactsApi = HttpApiGroup.make("outputArtifacts")
  .add(
    HttpApiEndpoint.get("read", "/agents/:taskId/output-artifacts/:artifactId")
      .setPath(ArtifactPath)
      .setUrlParams(ArtifactQuery)
      .addSuccess(ArtifactReading)
      .addError(TaskWire.TaskNotFound)
      .addError(AttemptWire.AttemptMismatch)
      .addError(Wire.ArtifactNotFound)
      .addError(Wire.ArtifactDamaged)
      .addError(Wire.JsonPathRefused)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "An output that is too long for its run event: the text of an `output` event, the JSON of any other payload; without secrets, which were taken out before it was stored. `originalBytes` is its length before that, `sizeBytes` what is kept. Without an `operation` it is described, with a preview. `byte-range` gives text in `content`, where a character that the range cuts shows as U+FFFD; `line-range` gives a list of lines without their line feeds; both at most 1,048,576 bytes (`truncated` says where a line is cut). `json-path` follows RFC 9535: a path of names and indexes alone gives its value, or null, any other path a list; `matches` counts what it leads to. A path that is none, that takes longer than 250 ms, or that leads to more than 1,048,576 bytes is a 400, like an artifact that is no JSON. An artifact of another run or attempt is a 404, an attempt of another task a 409. Artifacts are kept for 90 days unless the operator chose otherwise."
      )
  )
  .add(
    HttpApiEndpoint.get("download", "/agents/:taskId/output-artifacts/:artifactId/download")
      .setPath(ArtifactPath)
      .setUrlParams(DownloadQuery)
      .addSuccess(ArtifactBytes)
      .addSuccess(SomeArtifactBytes)
      .addError(TaskWire.TaskNotFound)
      .addError(AttemptWire.AttemptMismatch)
      .addError(Wire.ArtifactNotFound)
      .addError(Wire.ArtifactDamaged)
      .addError(Wire.RangeBeyondEnd)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "The bytes of an output artifact, exactly as they are kept: 200 when it is sent as a whole, 206 with `Content-Range` when it is a part. Without a `length` at most 4,194,304 bytes are sent. An `offset` beyond the end is a 416. What the bytes are, `mediaType` of the artifact says: they are sent to be saved, not to be shown."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Output artifacts")
