import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Schema } from "effect"
import { Installation } from "../client/Connection.ts"

const Package = Schema.parseJson(Schema.Struct({ version: Schema.String }))

/** The version of the installed package. */
export const version = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const file = join(yield* Installation, "package.json")
  return (yield* Schema.decode(Package)(yield* files.readFileString(file))).version
}).pipe(Effect.orElseSucceed(() => "unknown"))
