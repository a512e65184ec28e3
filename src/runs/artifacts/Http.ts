import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { OutputArtifactsApi } from "./Api.ts"
import { type Download, OutputArtifacts } from "./OutputArtifacts.ts"

/** Answers with the bytes of an artifact; who asked for a part, or gets one, is told which. */
const respondBytes = ({ bytes, end, offset, sizeBytes }: Download) => {
  const isWhole = offset === 0 && end === sizeBytes
  return HttpServerResponse.stream(bytes, {
    status: isWhole ? 200 : 206,
    contentType: "application/octet-stream",
    contentLength: end - offset,
    headers: {
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
      ...(isWhole ? {} : { "content-range": `bytes ${offset}-${end - 1}/${sizeBytes}` })
    }
  })
}

export const OutputArtifactsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(OutputArtifactsApi),
  "outputArtifacts",
  (handlers) =>
    Effect.map(OutputArtifacts, (artifacts) =>
      handlers
        .handle("read", ({ path, urlParams }) => artifacts.read(path, urlParams))
        .handle("download", ({ path, urlParams }) =>
          Effect.map(artifacts.download(path, urlParams), respondBytes)
        )
    )
)
