import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, Effect, Stream } from "effect"
import { Misused } from "../client/Failure.ts"

/** What is piped into a command. */
export class Stdin extends Context.Reference<Stdin>()("muster/cli/Stdin", {
  defaultValue: (): Stream.Stream<Uint8Array, unknown> => NodeStream.stdin
}) {}

/** The most that a command takes, in bytes: it is kept whole before anything is done with it. */
const limit = 268_435_456

const unreadable = (reason: string) =>
  new Misused({ reason: `Can't read standard input: ${reason}`, remedy: "Name a file instead" })

/** All that is piped in, to its end. */
export const readStdin: Effect.Effect<Buffer, Misused> = Effect.gen(function* () {
  const parts: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(yield* Stdin, (part) => {
    size += part.length
    parts.push(part)
    return size > limit ? unreadable(`it is larger than ${limit} bytes`) : Effect.void
  }).pipe(Effect.mapError((error) => (error instanceof Misused ? error : unreadable("it broke off"))))
  return Buffer.concat(parts)
})
