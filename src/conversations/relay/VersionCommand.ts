import { tmpdir } from "node:os"
import { Effect } from "effect"
import { versionIn } from "../../board/agents-config/AskVersion.ts"
import { variable } from "../../board/agents-config/Programs.ts"
import { run } from "../../kernel/process/Run.ts"
import { nowIso } from "../../kernel/Time.ts"
import type { VersionCommand } from "../adapters/Adapter.ts"
import type { Health } from "../adapters/Health.ts"

/** What a program said about its version. */
export type VersionReport = NonNullable<Health["command"]>

/**
 * Asks the configured program for its version. It runs when somebody tests the adapter and never otherwise, without a
 * shell and without the server's environment; of what it says only the version is kept.
 */
export const askVersion = ({ args, executable }: VersionCommand): Effect.Effect<VersionReport> =>
  Effect.gen(function* () {
    const path = yield* variable("PATH")
    const said = yield* Effect.option(
      run({
        file: executable,
        args,
        cwd: tmpdir(),
        env: path === undefined ? {} : { PATH: path },
        timeout: "5 seconds",
        outputLimit: 65_536
      })
    )
    const version =
      said._tag === "Some" && said.value.exitCode === 0
        ? versionIn(`${said.value.stdout}\n${said.value.stderr}`)
        : undefined
    return {
      status: version === undefined ? "failed" : "ok",
      version: version ?? null,
      checkedAt: yield* nowIso
    }
  })
