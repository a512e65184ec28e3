import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import { Client } from "../../../client/Client.ts"
import { AdmissionApi } from "../../../governance/admission/Api.ts"
import { QueueApi } from "../../../governance/queue/Api.ts"
import { EntryIdParam } from "../../../governance/queue/Entry.ts"
import { ask } from "../../Answer.ts"
import { argumentOf, json } from "../../Parts.ts"
import { admissionText, cancelledText } from "../../text/AdmissionText.ts"

/*
 * Whether there is room for runs: who has it, who waits for it, and why; cancel.
 */

const entry = Args.text({ name: "ENTRY" }).pipe(
  argumentOf("ENTRY", EntryIdParam),
  Args.withDescription("The id of an entry of the queue")
)

const cancel = Command.make("cancel", { entry, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const ended = yield* call(QueueApi, ({ admissionQueue }) =>
        admissionQueue.cancel({ path: { id: given.entry } })
      )
      return { json: ended, text: (paint) => cancelledText(ended, paint) }
    })
  )
).pipe(Command.withDescription("Take a run out of the queue before it starts."))

/** How many of each are shown. */
const limit = 100

export const admission = Command.make("admission", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const reservations = yield* call(AdmissionApi, ({ admission }) =>
        admission.list({ urlParams: { state: ["active"], limit } })
      )
      const queue = yield* call(QueueApi, ({ admissionQueue }) =>
        admissionQueue.list({ urlParams: { limit }, headers: {} })
      )
      return {
        json: { reservations, queue },
        text: (paint) => admissionText(reservations, queue, paint)
      }
    })
  )
).pipe(Command.withSubcommands([cancel]))
