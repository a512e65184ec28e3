import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, Effect, Stream } from "effect"
import { Misused } from "../client/Failure.ts"

/** The standard input of the command. */
export class Stdin extends Context.Reference<Stdin>()("muster/cli/Stdin", {
  defaultValue: (): Stream.Stream<Uint8Array, unknown> => NodeStream.stdin
}) {}

/** The most that a command reads, in bytes: all of it is held in memory. */
const limit = 268_435_456

const unreadable = (reason: string) =>
  new Misused({ reason: `Can't read standard input: ${reason}`, remedy: "Name a file instead" })

/** Reads standard input to its end. */
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
