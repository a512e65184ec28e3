import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"

/** The revision of the interface that the API implements (spec 1-core, Versioning). */
export const interfaceVersion = "6.1.3"

const Package = Schema.parseJson(Schema.Struct({ version: Schema.String }))

/** The version of this package. */
export const version: Effect.Effect<string> = Effect.try(() =>
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
).pipe(
  Effect.flatMap(Schema.decode(Package)),
  Effect.map((manifest) => manifest.version),
  Effect.orElseSucceed(() => "unknown")
)
