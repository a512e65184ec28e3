import { Effect } from "effect"
import { inTime, type MusterApi, makeApi, understand } from "../Client.ts"
import type { Connection } from "../Connection.ts"
import { tell } from "../Failure.ts"
import { type Check, fail } from "./Check.ts"

/** Asks the server something; what goes wrong is a finding too. */
export const asking = <E, R>(
  name: string,
  connection: Connection,
  question: (api: MusterApi) => Effect.Effect<ReadonlyArray<Check>, E, R>
) =>
  Effect.flatMap(makeApi(connection), question).pipe(
    inTime(connection.url),
    Effect.mapError(understand(connection.url)),
    Effect.catchAll((failure) => {
      const { happened, remedy } = tell(failure)
      return Effect.succeed([fail(name, happened, remedy ?? "The log of the server tells more")])
    })
  )
