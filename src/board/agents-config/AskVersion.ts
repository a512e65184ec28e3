import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
import { Effect } from "effect"

/** How long a program may take to say its version, and how much of what it says is read. */
const patienceMs = 5_000
const outputLimit = 65_536

/** What a program said of itself. `failed`: it did not answer, or not well. */
export type VersionAnswer =
  | { readonly state: "failed" }
  | { readonly state: "answered"; readonly version: string | null; readonly build: string | null }

/** The first thing in a text that looks like a version. */
export const versionIn = (text: string): string | undefined =>
  /(?<![\d.])\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:[-+][0-9A-Za-z.]{1,40})?/.exec(text)?.[0]

/** What a text calls a build, a commit or a revision, or the hash in brackets that stands for one. */
export const buildIn = (text: string): string | undefined =>
  /\b(?:build|commit|revision|rev)\b[ :#=]{1,3}([0-9A-Za-z][0-9A-Za-z.-]{0,63})/i.exec(text)?.[1] ??
  /[([]([0-9a-f]{7,40})(?=[ )\],])/.exec(text)?.[1]

/**
 * Asks a program for its version: with nothing of the environment but where programs and its own settings are. Nothing
 * but a version and a build is kept of what it says.
 */
export const askVersion = (
  program: string,
  environment: Readonly<Record<string, string>>
): Effect.Effect<VersionAnswer> =>
  Effect.async((resume) => {
    const child = execFile(
      program,
      ["--version"],
      {
        cwd: tmpdir(),
        env: environment,
        timeout: patienceMs,
        killSignal: "SIGKILL",
        maxBuffer: outputLimit,
        windowsHide: true
      },
      (error, stdout) =>
        resume(
          Effect.succeed(
            error === null
              ? {
                  state: "answered",
                  version: versionIn(stdout) ?? null,
                  build: buildIn(stdout) ?? null
                }
              : { state: "failed" }
          )
        )
    )
    child.stdin?.end()
    return Effect.sync(() => child.kill("SIGKILL"))
  })
