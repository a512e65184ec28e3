import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Stream } from "effect"
import { connection } from "../../../client/Connection.ts"
import { printableJson } from "../../../kernel/Foreign.ts"
import { orTold } from "../../Answer.ts"
import { makeTeller } from "../../live/Message.ts"
import { messages } from "../../live/Stream.ts"
import { Output } from "../../Output.ts"
import { json, limitUpTo } from "../../Parts.ts"
import { paint } from "../../text/Paint.ts"

const limit = limitUpTo(1_000_000, "End after this many messages; without it, Ctrl+C ends").pipe(
  Options.optional
)

export const watch = Command.make("watch", { limit, json }, (given) =>
  Effect.gen(function* () {
    const { colours, say, warn } = yield* Output
    const settings = yield* connection
    const tell = makeTeller(paint(colours))
    yield* messages(settings, (reason) => warn(`muster: ${reason}; trying again`)).pipe(
      Stream.take(Option.getOrElse(given.limit, () => Number.MAX_SAFE_INTEGER)),
      Stream.runForEach((message) => {
        const line = given.json ? printableJson(message.body) : tell(message)
        return line === undefined ? Effect.void : say(line)
      })
    )
  }).pipe((work) => orTold(given.json, work))
)
