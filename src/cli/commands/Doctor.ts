import { Command } from "@effect/cli"
import { Effect, Either } from "effect"
import { answer } from "../Answer.ts"
import { connection } from "../Connection.ts"
import { type Check, checksText, fail } from "../doctor/Check.ts"
import { checkLock } from "../doctor/Lock.ts"
import { checkDataDirectory, checkGit, checkKeyFile, judgeNode } from "../doctor/Machine.ts"
import { checkAddress, checkCredential, checkHealth } from "../doctor/Server.ts"
import { ExitCode } from "../Failure.ts"
import { json } from "../Parts.ts"

/** Looks at everything that keeps people from working, each for itself: one that fails hides no other. */
const examine = Effect.gen(function* () {
  const machine: ReadonlyArray<Check> = [judgeNode(process.versions.node), yield* checkGit]
  const settings = yield* Effect.either(connection)
  if (Either.isLeft(settings)) {
    const { reason, remedy } = settings.left
    return [...machine, fail("address", reason, remedy)]
  }
  const found = settings.right
  const address = yield* checkAddress(found.url)
  const server = address.answers ? [...(yield* checkHealth(found)), yield* checkCredential(found)] : []
  return [
    ...machine,
    ...address.checks,
    ...server,
    yield* checkKeyFile(found),
    yield* checkDataDirectory(found),
    yield* checkLock(found, address.answers)
  ]
})

export const doctor = Command.make("doctor", { json }, (given) =>
  answer(
    given.json,
    Effect.map(examine, (checks) => ({
      json: { ok: checks.every(({ status }) => status !== "fail"), checks },
      text: (paint) => checksText(checks, paint),
      exitCode: checks.some(({ status }) => status === "fail") ? ExitCode.unexpected : ExitCode.ok
    }))
  )
).pipe(Command.withDescription("Find out what keeps the board from working."))
