import { existsSync, readFileSync } from "node:fs"
import { Effect, Queue, type Scope, Stream } from "effect"
import { type Child, type ChildCommand, supervise } from "../../src/kernel/process/Child.ts"
import { linesOf } from "../../src/kernel/process/Lines.ts"

let marks = 0

/** A variable that nothing else on this machine has. */
export const newMark = (): string => `test-${process.pid}-${++marks}`

/** A script for `sh`, as a program to supervise. */
export const script = (text: string, rest: Partial<ChildCommand> = {}): ChildCommand => ({
  file: "/bin/sh",
  args: ["-c", text],
  cwd: "/",
  mark: "MUSTER_ATTEMPT_ID",
  grace: "5 seconds",
  ...rest,
  env: { PATH: "/usr/bin:/bin", MUSTER_ATTEMPT_ID: newMark(), ...rest.env }
})

/** A program that runs, with what it says line by line. */
export const runScript = (
  text: string,
  rest?: Partial<ChildCommand>
): Effect.Effect<Child & { readonly line: Effect.Effect<string> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.orDie(supervise(script(text, rest)))
    const said = yield* Queue.unbounded<string>()
    yield* child.stdout.pipe(
      linesOf(() => 65_536),
      Stream.runForEach((lines) =>
        Queue.offerAll(
          said,
          lines.map((line) => line.text)
        )
      ),
      Effect.forkScoped
    )
    return { ...child, line: Queue.take(said) }
  })

/** Whether a process runs: what only waits for its parent to hear of its end does not. */
export const runs = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
