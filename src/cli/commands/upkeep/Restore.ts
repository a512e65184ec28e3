import { resolve } from "node:path"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import type { Restored } from "../../../offline/Restore.ts"
import { answer } from "../../Answer.ts"
import { lostText } from "../../LostBlobs.ts"
import { offline, place, troubled } from "../../Offline.ts"
import { json } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"

const restoredText = (file: string, { database, keptAs, lostBlobs = [] }: Restored, paint: Paint): string =>
  [
    `${paint.green("Restored")} ${file} to ${database}`,
    ...(keptAs === undefined ? [] : [`The board that was there before is kept as ${keptAs}`]),
    ...lostText("The bytes of these blobs were lost before the backup was made:", lostBlobs, paint),
    "Start the server with npm start."
  ].join("\n")

const file = Args.text({ name: "FILE" }).pipe(Args.withDescription("A file that muster backup has written"))

export const restore = Command.make("restore", { file, json }, (given) =>
  answer(
    given.json,
    Effect.gen(function* () {
      const to = yield* place
      const { restore } = yield* offline
      const restored = yield* Effect.mapError(restore(resolve(given.file), to), troubled(given.file))
      return { json: restored, text: (paint) => restoredText(given.file, restored, paint) }
    })
  )
)
