import * as Command from "@effect/cli/Command"
import { Duration, Effect } from "effect"
import { Client } from "../../../client/Client.ts"
import { ExitCode } from "../../../client/Failure.ts"
import { AuditApi } from "../../../insight/audit/Api.ts"
import type { AuditVerification } from "../../../insight/audit/AuditEntry.ts"
import { ask } from "../../Answer.ts"
import { json } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"

/** How long the verification may take: a minute is enough for a million entries. */
const patience = Duration.minutes(2)

/** What is wrong with a broken chain. */
const faultText = ({ brokenAt, fault }: AuditVerification): string => {
  switch (fault) {
    case "changed":
      return `entry ${brokenAt} is not what was written`
    case "removed":
      return `entry ${brokenAt} is missing`
    case "truncated":
      return `entry ${brokenAt} and what came after it were cut off`
    case "unreadable":
      return "its table is not what it was"
    case "head-forged":
      return "the head of the chain does not bear the signature of this server"
    case "head-missing":
      return "the signed head of the chain was taken away"
    default:
      return "it can't be followed"
  }
}

const counted = (entries: number): string => `${entries} ${entries === 1 ? "entry" : "entries"}`

const verificationText = (found: AuditVerification, paint: Paint): string => {
  const { entries, head, valid } = found
  if (!valid) {
    return [
      `${paint.red("The audit chain is broken:")} ${faultText(found)}.`,
      `${counted(entries)} ${entries === 1 ? "was" : "were"} looked at. Keep the data directory as it is, and compare it with a backup.`
    ].join("\n")
  }
  const signed = head === null ? "" : paint.dim(` Signed up to entry ${head.sequence} at ${head.signedAt}.`)
  return `${paint.green("The audit chain is sound:")} ${counted(entries)}.${signed}`
}

const verify = Command.make("verify", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(AuditApi, ({ audit }) => audit.verify(), patience)
      return {
        json: found,
        text: (paint) => verificationText(found, paint),
        exitCode: found.valid ? ExitCode.ok : ExitCode.unexpected
      }
    })
  )
).pipe(Command.withDescription("Check that no entry of the audit chain was changed."))

export const audit = Command.make("audit").pipe(Command.withSubcommands([verify]))
