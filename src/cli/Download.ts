import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Duration, Effect, Redacted, Stream } from "effect"
import { readEnvelope, understand } from "../client/Client.ts"
import type { Connection } from "../client/Connection.ts"
import { type Failure, Misunderstood, Unreachable } from "../client/Failure.ts"
import { staying } from "../client/RefuseRedirects.ts"
import { unwritable } from "./LocalFile.ts"

/** How long the server may take to copy its board, blobs and all, before it sends the first byte. */
const patience = Duration.minutes(30)

/** Saves the board of a server in a file that only its owner can read; gives the size in bytes. */
export const downloadBackup = (
  { key, url }: Connection,
  file: string
): Effect.Effect<number, Failure, HttpClient.HttpClient | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const http = staying(yield* HttpClient.HttpClient)
    const files = yield* FileSystem.FileSystem
    const request = HttpClientRequest.post(`${url}/api/v1/maintenance/backup`)
    const response = yield* http
      .execute(
        key === undefined ? request : HttpClientRequest.setHeader(request, "x-api-key", Redacted.value(key))
      )
      .pipe(
        Effect.timeoutFail({
          duration: patience,
          onTimeout: () => new Unreachable({ url, reason: "it takes too long to copy the board" })
        }),
        Effect.mapError(understand(url))
      )
    if (response.status !== 200) {
      const body = yield* Effect.orElseSucceed(response.json, () => undefined)
      return yield* readEnvelope(response.status, body) ??
        new Misunderstood({ url, reason: `status ${response.status}` })
    }
    yield* response.stream.pipe(
      Stream.mapError(understand(url)),
      Stream.run(files.sink(file, { mode: 0o600 })),
      Effect.catchTags({
        SystemError: (error: PlatformError) => unwritable(file, error),
        BadArgument: (error: PlatformError) => unwritable(file, error)
      })
    )
    const size = Number((yield* Effect.catchAll(files.stat(file), (error) => unwritable(file, error))).size)
    if (String(size) !== response.headers["content-length"]) {
      return yield* new Unreachable({ url, reason: "the connection broke" })
    }
    return size
  })
