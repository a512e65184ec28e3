import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect } from "effect"

const root = resolve(import.meta.dirname, "..", "..")

/** An installed package: built code, its package.json, its dependencies. */
export interface Installed {
  readonly directory: string
  readonly main: string
  readonly remove: () => void
}

/** Installs what was built before all tests into a directory of its own. */
export const install = (): Installed => {
  const directory = mkdtempSync(join(tmpdir(), "muster-installed-"))
  cpSync(join(root, "dist"), join(directory, "dist"), { recursive: true })
  for (const name of ["package.json", "node_modules"]) symlinkSync(join(root, name), join(directory, name))
  return {
    directory,
    main: join(directory, "dist", "cli", "main.js"),
    remove: () => rmSync(directory, { recursive: true, force: true })
  }
}

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, with this environment alone. */
export const execute = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly environment?: Readonly<Record<string, string>>; readonly cwd?: string } = {}
): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? tmpdir(),
      env: { PATH: process.env["PATH"] ?? "", ...options.environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const stdout: Array<Buffer> = []
    const stderr: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk))
    child.on("close", (exitCode) =>
      resume(
        Effect.succeed({
          exitCode,
          stdout: Buffer.concat(stdout).toString(),
          stderr: Buffer.concat(stderr).toString()
        })
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })
