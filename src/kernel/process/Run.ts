import { spawn } from "node:child_process"
import { Data, Duration, Effect } from "effect"

/** A program to run: arguments as a list, never a shell; the environment is exactly the one that is given. */
export interface Command {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeout: Duration.DurationInput
  /** The most bytes that it may write to each of its outputs. */
  readonly outputLimit: number
  /** Its standard input; empty when absent. */
  readonly input?: string | Uint8Array
}

/** How a program ended by itself, and what it wrote, byte for byte. */
export interface FinishedBytes {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** The same for programs that write text. */
export interface Finished {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The program did not end by itself: it could not be started, or it was stopped at one of its limits. */
export class ProcessStopped extends Data.TaggedError("ProcessStopped")<{
  readonly file: string
  readonly reason: "not-started" | "timed-out" | "too-much-output" | "killed"
  readonly message: string
}> {}

/**
 * Kills a process and everything that it started: it leads a process group of its own. A group that is already gone is
 * fine.
 */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // The group is already gone.
  }
}

/**
 * Runs a program to its end. When it takes too long, writes too much, or the fiber is interrupted, its whole process
 * group is killed; what is left of the group when it ends by itself is killed too.
 */
export const runBytes = (command: Command): Effect.Effect<FinishedBytes, ProcessStopped> =>
  Effect.async<FinishedBytes, ProcessStopped>((resume) => {
    const { args, cwd, env, file, input, outputLimit } = command
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] })
    const outputs = { stdout: [] as Array<Buffer>, stderr: [] as Array<Buffer> }
    let stopped: ProcessStopped | undefined
    const stop = (reason: ProcessStopped["reason"], message: string): void => {
      stopped ??= new ProcessStopped({ file, reason, message })
      killGroup(child.pid)
    }
    const timer = setTimeout(
      () => stop("timed-out", `it took longer than ${Duration.format(command.timeout)}`),
      Duration.toMillis(command.timeout)
    )
    for (const name of ["stdout", "stderr"] as const) {
      let size = 0
      child[name].on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > outputLimit) stop("too-much-output", `it wrote more than ${outputLimit} bytes`)
        else outputs[name].push(chunk)
      })
    }
    // A program that does not read its input closes the pipe; that is no fault of the run.
    child.stdin.on("error", () => undefined)
    child.stdin.end(input ?? "")
    child.once("error", (error) => {
      clearTimeout(timer)
      resume(Effect.fail(new ProcessStopped({ file, reason: "not-started", message: error.message })))
    })
    // What it left behind would hold the outputs open.
    child.once("exit", () => killGroup(child.pid))
    child.once("close", (exitCode, signal) => {
      clearTimeout(timer)
      if (exitCode === null) stop("killed", `it was ended by ${signal}`)
      resume(
        stopped === undefined
          ? Effect.succeed({
              exitCode: exitCode ?? 0,
              stdout: Buffer.concat(outputs.stdout),
              stderr: Buffer.concat(outputs.stderr)
            })
          : Effect.fail(stopped)
      )
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      killGroup(child.pid)
    })
  })

/** The same for a program that writes UTF-8. */
export const run = (command: Command): Effect.Effect<Finished, ProcessStopped> =>
  Effect.map(runBytes(command), ({ exitCode, stderr, stdout }) => ({
    exitCode,
    stdout: stdout.toString(),
    stderr: stderr.toString()
  }))
