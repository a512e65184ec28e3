import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { Deferred, Duration, Effect, FiberId, Option, type Scope, Stream } from "effect"
import { endProcesses } from "./EndProcesses.ts"
import { type ProcessIdentity, unknownStart } from "./Identity.ts"
import { view } from "./ProcessView.ts"
import { ProcessStopped } from "./Run.ts"

/** A program that runs until it ends or is stopped. Its arguments are a list, its environment is exactly this one. */
export interface ChildCommand {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /**
   * The name of a variable of the environment whose value nothing else on this machine has: what the program starts is
   * found by it, wherever it goes.
   */
  readonly mark: string
  /** How long it has, after it was asked to end, before it is killed. */
  readonly grace: Duration.DurationInput
}

/** How the program itself ended: by its own exit code, or by a signal, whoever sent it. */
export type Ending =
  | { readonly _tag: "Exited"; readonly code: number }
  | { readonly _tag: "Signalled"; readonly signal: string }

/** A program that runs. Nothing of it outlives the scope that it was started in. */
export interface Child {
  readonly identity: ProcessIdentity
  /** What it writes, as it comes; whoever does not read makes it wait. Each can be read once. */
  readonly stdout: Stream.Stream<Uint8Array>
  readonly stderr: Stream.Stream<Uint8Array>
  /**
   * Writes to its standard input and waits while that is full. False when the program reads no more: it may do so, and
   * that is no fault.
   */
  readonly write: (input: string | Uint8Array) => Effect.Effect<boolean>
  /** Ends its standard input. */
  readonly endInput: Effect.Effect<void>
  /** Waits until it has ended and all that it started is gone. */
  readonly ended: Effect.Effect<Ending>
  /** Ends it and all that it started: first asks, then kills. Waits until that is done. */
  readonly stop: Effect.Effect<void>
}

type Spawned = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * Everything that comes out of a pipe, as it is asked for. A pipe that breaks has simply ended. (The pipe's own iterator
 * can't be interrupted while it waits.)
 */
const read = (pipe: Readable): Stream.Stream<Uint8Array> =>
  Stream.repeatEffectOption(
    Effect.async<Uint8Array, Option.Option<never>>((resume) => {
      const settle = (found: Effect.Effect<Uint8Array, Option.Option<never>>) => {
        stopListening()
        resume(found)
      }
      const take = () => {
        const part: Uint8Array | null = pipe.read()
        if (part !== null) settle(Effect.succeed(part))
        else if (pipe.readableEnded || pipe.destroyed) settle(Effect.fail(Option.none()))
      }
      const stopListening = () => {
        for (const event of ["readable", "end", "close"]) pipe.off(event, take)
      }
      for (const event of ["readable", "end", "close"]) pipe.on(event, take)
      take()
      return Effect.sync(stopListening)
    })
  )

const write = (pipe: Writable, input: string | Uint8Array): Effect.Effect<boolean> =>
  Effect.async<boolean>((resume) => {
    const closed = () => resume(Effect.succeed(false))
    if (!pipe.writable) {
      closed()
      return
    }
    // A write that fails calls back too, but one to a pipe that is destroyed meanwhile may never do so.
    pipe.once("close", closed)
    pipe.write(input, (error) => {
      pipe.off("close", closed)
      resume(Effect.succeed(error === null || error === undefined))
    })
    return Effect.sync(() => pipe.off("close", closed))
  })

/** How long an output stays open for a stranger who holds it, after the last thing that came out of it. */
const silence = Duration.seconds(1)

/**
 * Waits until an output has said all that it will. What the program started is gone by then; somebody who is neither
 * marked nor of the group may still hold the pipe, and is not waited for.
 */
const drained = (pipe: Readable & { readonly bytesRead?: number }): Effect.Effect<void> =>
  Effect.gen(function* () {
    let before = -1
    while (!pipe.closed && !pipe.destroyed) {
      const heard = pipe.bytesRead ?? 0
      // What lies in the buffer waits for its reader, for as long as that takes.
      if (heard === before && pipe.readableLength === 0) pipe.destroy()
      before = heard
      yield* Effect.sleep(silence)
    }
  })

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nothing of it is left.
  }
}

/** A program that was just started, and how it will end. */
interface Started {
  readonly process: Spawned
  readonly pid: number
  /** Undefined where the machine does not tell at once. */
  readonly startTime: string | undefined
  readonly exited: Deferred.Deferred<Ending>
}

const spawned = ({ args, cwd, env, file }: ChildCommand): Effect.Effect<Started, ProcessStopped> =>
  Effect.async((resume) => {
    const refuse = (message: string) =>
      resume(Effect.fail(new ProcessStopped({ file, reason: "not-started", message })))
    try {
      const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] })
      const { pid } = child
      child.once("error", ({ message }) => refuse(message))
      // A program that does not read its input closes the pipe; that is no fault.
      for (const pipe of child.stdio) pipe?.on("error", () => undefined)
      // Node pours away what nobody listens to when the program ends: its readers may come later than its end.
      for (const pipe of [child.stdout, child.stderr]) pipe.on("readable", () => undefined)
      if (pid === undefined) return
      const exited = Deferred.unsafeMake<Ending>(FiberId.none)
      child.once("exit", (code, signal) => {
        killGroup(pid)
        Deferred.unsafeDone(
          exited,
          Effect.succeed<Ending>(
            code === null ? { _tag: "Signalled", signal: signal ?? "SIGKILL" } : { _tag: "Exited", code }
          )
        )
      })
      // Looked at before anything else can happen: a program that ends at once leaves its number to others.
      resume(Effect.succeed({ process: child, pid, startTime: view.now(pid)?.startTime, exited }))
    } catch (error) {
      // An argument or a variable with a NUL in it.
      refuse(error instanceof Error ? error.message : String(error))
    }
  })

/**
 * Starts a program in a process group of its own. It ends with the scope, and takes with it whatever it started: the
 * group, those that left the group, and those that were left behind when it ended by itself.
 *
 * Nobody can tell from a stranger who left the group, cleared the mark from its environment, and outlived its parent.
 * Without `/proc` the mark can't be read at all; see `psView`.
 */
export const supervise = (command: ChildCommand): Effect.Effect<Child, ProcessStopped, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(begin(command), ({ child, process }) =>
      Effect.zipRight(
        child.stop,
        // Nobody reads any more.
        Effect.sync(() => {
          process.stdout.destroy()
          process.stderr.destroy()
        })
      )
    ),
    ({ child }) => child
  )

const begin = (command: ChildCommand) =>
  Effect.gen(function* () {
    const { env, grace, mark } = command
    const { exited, pid, process, startTime } = yield* spawned(command)
    const identity: ProcessIdentity = {
      pid,
      startTime: startTime ?? (yield* Effect.promise(() => view.one(pid)))?.startTime ?? unknownStart,
      bootId: view.bootId
    }
    const lineage = { leader: identity, mark: `${mark}=${env[mark] ?? ""}` }
    const ended = yield* Deferred.make<Ending>()
    // It ends with the process, which the scope sees to.
    yield* Effect.forkDaemon(
      Effect.gen(function* () {
        const ending = yield* Deferred.await(exited)
        yield* endProcesses(lineage, 0)
        yield* Deferred.succeed(ended, ending)
        process.stdin.destroy()
        yield* Effect.all([drained(process.stdout), drained(process.stderr)], {
          concurrency: 2,
          discard: true
        })
      })
    )
    const stop = Effect.gen(function* () {
      yield* endProcesses(lineage, (yield* Deferred.isDone(exited)) ? 0 : grace)
      // The number is its own until its end was heard of.
      if (!(yield* Deferred.isDone(exited))) killGroup(pid)
      yield* Deferred.await(ended)
    })
    const child: Child = {
      identity,
      stdout: read(process.stdout),
      stderr: read(process.stderr),
      write: (input) => write(process.stdin, input),
      endInput: Effect.sync(() => {
        process.stdin.end()
      }),
      ended: Deferred.await(ended),
      stop: Effect.uninterruptible(stop)
    }
    return { child, process }
  })
