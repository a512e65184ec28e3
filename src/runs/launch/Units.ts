import { Effect, Schema } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Sql } from "../../storage/Sql.ts"
import { requestOf } from "../attempts/Units.ts"
import { LaunchRequest, type Wish } from "./LaunchRequest.ts"

const decode = columnReader(Schema.typeSchema(LaunchRequest), "attempts", "request")

/** What was asked for when an attempt was started. */
export const wishOf = (attemptId: string): Effect.Effect<Wish, never, Sql> =>
  Effect.map(requestOf(attemptId), (json = "{}") => decode(json, attemptId))
