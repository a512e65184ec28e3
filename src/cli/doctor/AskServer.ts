import { Effect } from "effect"
import { type ClientService, inTime, makeClient, understand } from "../../client/Client.ts"
import type { Connection } from "../../client/Connection.ts"
import { tell } from "../../client/Failure.ts"
import { type Check, fail } from "./Check.ts"

/** Asks the server a question; a failure of it is a finding too. */
export const asking = <E, R>(
  name: string,
  connection: Connection,
  question: (call: ClientService["call"]) => Effect.Effect<ReadonlyArray<Check>, E, R>
) => Effect.flatMap(makeClient(connection), ({ call }) => question(call)).pipe(findingOf(name, connection))

/** Turns whatever goes wrong with a question into a finding. */
export const findingOf =
  (name: string, { url }: Connection) =>
  <E, R>(question: Effect.Effect<ReadonlyArray<Check>, E, R>) =>
    question.pipe(
      inTime(url),
      Effect.mapError(understand(url)),
      Effect.catchAll((failure) => {
        const { happened, remedy } = tell(failure)
        return Effect.succeed([fail(name, happened, remedy ?? "The log of the server tells more")])
      })
    )
