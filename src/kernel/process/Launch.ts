import { spawn } from "node:child_process"
import { Effect } from "effect"
import { ProcessStopped } from "./Run.ts"

/** Starts a program that outlives its caller, such as an editor. It succeeds as soon as the program runs. */
export const launch = (command: {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}): Effect.Effect<void, ProcessStopped> =>
  Effect.async<void, ProcessStopped>((resume) => {
    const { args, cwd, env, file } = command
    const child = spawn(file, args, { cwd, env, detached: true, stdio: "ignore" })
    child.once("error", ({ message }) =>
      resume(Effect.fail(new ProcessStopped({ file, reason: "not-started", message })))
    )
    child.once("spawn", () => {
      child.unref()
      resume(Effect.void)
    })
  })

/** The environment of the server without what is meant for the server alone: its keys, its settings. */
export const ordinaryEnvironment = (
  all: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && ordinary.has(entry[0])
    )
  )

const ordinary = new Set([
  "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",
  "HOME",
  "LANG",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "USER",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_RUNTIME_DIR"
])
