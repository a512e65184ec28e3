import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Either } from "effect"
import { type Connection, connection } from "../../../client/Connection.ts"
import { ExitCode } from "../../../client/Failure.ts"
import { answer } from "../../Answer.ts"
import { type Check, checksText, fail } from "../../doctor/Check.ts"
import { checkDeep } from "../../doctor/Deep.ts"
import { checkIdentities, repairIds } from "../../doctor/Identities.ts"
import { checkLock } from "../../doctor/Lock.ts"
import {
  checkDataDirectory,
  checkGit,
  checkKeyFile,
  checkSqlite,
  checkVariables,
  judgeNode
} from "../../doctor/Machine.ts"
import { checkAddress, checkCredential, checkHealth } from "../../doctor/Server.ts"
import { json } from "../../Parts.ts"

/** Runs every check by itself: one that fails hides no other. */
const examine = (repair: boolean) =>
  Effect.gen(function* () {
    const machine: ReadonlyArray<Check> = [
      judgeNode(process.versions.node),
      yield* checkSqlite,
      yield* checkGit,
      yield* checkVariables
    ]
    const settings = yield* Effect.either(connection)
    if (Either.isLeft(settings)) {
      const { reason, remedy } = settings.left
      return [...machine, fail("address", reason, remedy)]
    }
    const found = settings.right
    const address = yield* checkAddress(found.url)
    const server = address.answers ? yield* examineServer(found, repair) : []
    return [
      ...machine,
      ...address.checks,
      ...server,
      yield* checkKeyFile(found),
      yield* checkDataDirectory(found),
      yield* checkLock(found, address.answers)
    ]
  })

const examineServer = (found: Connection, repair: boolean) =>
  Effect.gen(function* () {
    const health = yield* checkHealth(found)
    const credential = yield* checkCredential(found)
    if (credential.some(({ status }) => status === "fail")) return [...health, ...credential]
    const repaired = repair ? yield* repairIds(found) : []
    const deep = yield* checkDeep(found)
    return [...health, ...credential, ...deep, ...repaired, ...(yield* checkIdentities(found))]
  })

const repair = Options.boolean("repair-ids").pipe(
  Options.withDescription("Give new ids to tasks that share one; needs an admin key")
)

export const doctor = Command.make("doctor", { repair, json }, (given) =>
  answer(
    given.json,
    Effect.map(examine(given.repair), (checks) => ({
      json: { ok: checks.every(({ status }) => status !== "fail"), checks },
      text: (paint) => checksText(checks, paint),
      exitCode: checks.some(({ status }) => status === "fail") ? ExitCode.unexpected : ExitCode.ok
    }))
  )
)
