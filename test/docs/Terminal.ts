import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { Effect, Schedule } from "effect"
import { newId } from "../../src/kernel/Ids.ts"
import { makeCheckout } from "./Checkout.ts"
import type { Step } from "./Page.ts"
import { difference, type Names } from "./Printed.ts"

/** A program that goes on beside the others: the server, or who watches. */
interface Running {
  readonly step: Step
  readonly child: ChildProcessWithoutNullStreams
  readonly printed: () => string
}

/** Commands that do not end. */
const stays = /^(?:\w+=\S* )*(npm start|npx muster watch)$/

/** A terminal in a checkout of its own, in which one command is typed after another. */
export const openTerminal = Effect.gen(function* () {
  const { directory, environment, port, shown, typed } = yield* makeCheckout
  const names: Names = new Map()
  const running: Array<Running> = []
  const options = { cwd: directory, env: environment, detached: true } as const
  const shell = spawn("bash", ["--noprofile", "--norc"], options)
  let heard = ""
  const hear = (chunk: Buffer) => {
    heard += chunk.toString()
  }
  shell.stdout.on("data", hear)
  shell.stderr.on("data", hear)

  const end = (child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals) =>
    Effect.async<void>((resume) => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
        return resume(Effect.void)
      child.once("close", () => resume(Effect.void))
      process.kill(-child.pid, signal)
    })
  yield* Effect.addFinalizer(() =>
    Effect.forEach([shell, ...running.map(({ child }) => child)], (child) => end(child, "SIGKILL"))
  )

  /** A command of a page with the ids that its own have here. */
  const named = (command: string): string =>
    [...names].reduce((text, [name, now]) => text.replaceAll(name, now), typed(command))

  /** Waits until something is done; a minute ends what hangs. */
  const until = (done: () => boolean) =>
    Effect.sync(done).pipe(
      Effect.filterOrFail((is) => is),
      Effect.retry({ times: 60_000 / 20, schedule: Schedule.spaced("20 millis") }),
      Effect.isSuccess
    )

  const check = ({ command, line, printed }: Step, actual: string, code: number): string | undefined => {
    const wrong = difference(printed, shown(actual), names)
    const failed = code !== 0 && printed === "" ? `it ends with ${code}` : undefined
    const told = wrong ?? failed
    return told === undefined
      ? undefined
      : `line ${line}: ${command}\n${told}\n--- the page\n${printed}\n--- here\n${shown(actual)}`
  }

  const begin = (step: Step) =>
    Effect.gen(function* () {
      const child = spawn("bash", ["-c", `exec env ${named(step.command)}`], options)
      let printed = ""
      const add = (chunk: Buffer) => {
        printed += chunk.toString()
      }
      child.stdout.on("data", add)
      child.stderr.on("data", add)
      running.push({ step, child, printed: () => printed })
      if (step.command.endsWith("watch")) return yield* watched
      yield* until(() => printed.includes("Stop: Ctrl+C\n") || child.exitCode !== null)
      return check(step, printed, child.exitCode ?? 0)
    })

  /** Whoever watches is there when the server says so. */
  const watched = Effect.gen(function* () {
    const ask = `curl -s -H "X-API-Key: $(cat data/admin-key)" http://localhost:${port}/health/deep`
    yield* run(`until ${ask} | grep -q '"webSockets":{"connections":1'; do sleep 0.05; done`)
    return undefined
  })

  const run = (command: string) =>
    Effect.gen(function* () {
      const mark = yield* newId("end")
      heard = ""
      shell.stdin.write(
        `{ ${command}\n} </dev/null 2>&1; code=$?; printf '\\n${mark}%s\\n' "$code"; (exit $code)\n`
      )
      const ended = new RegExp(`\\n${mark}(\\d+)\\n`)
      yield* until(() => ended.test(heard))
      const [whole = "", code = "1"] = ended.exec(heard) ?? []
      return { printed: heard.slice(0, heard.length - whole.length), code: Number(code) }
    })

  const stop = Effect.gen(function* () {
    const server = running.findLast(({ step }) => step.command.endsWith("npm start"))
    if (server !== undefined) yield* end(server.child, "SIGINT")
    return undefined
  })

  return {
    /** Does what a step of a page says; gives what is wrong with it. */
    take: (step: Step): Effect.Effect<string | undefined> => {
      if (step.command === "^C") return stop
      return stays.test(step.command)
        ? begin(step)
        : Effect.map(run(named(step.command)), ({ code, printed }) => check(step, printed, code))
    },
    /** Compares what those who watched have seen in the end. */
    close: Effect.suspend(() =>
      Effect.forEach(
        running.filter(({ step }) => step.command.endsWith("watch")),
        ({ printed, step }) =>
          Effect.zipRight(
            until(() => difference(step.printed, shown(printed()), new Map(names)) === undefined),
            Effect.sync(() => check(step, printed(), 0))
          )
      )
    )
  }
})
