import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { Effect, Schedule } from "effect"
import { newId } from "../../src/kernel/Ids.ts"
import { programs } from "../support/Programs.ts"
import type { Step } from "./Page.ts"
import { difference, type Names } from "./Printed.ts"

const root = resolve(import.meta.dirname, "..", "..")

/** Where a page says that its reader is. */
const home = "/home/you"

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() =>
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    )
  })
})

/** A program that goes on beside the others: the server, or who watches. */
interface Running {
  readonly step: Step
  readonly child: ChildProcessWithoutNullStreams
  readonly printed: () => string
}

/** Commands that do not end. */
const stays = /^(?:\w+=\S* )*(npm start|npx muster watch)$/

/**
 * A terminal in a checkout of its own: `npm start` starts the built server there, `npx muster` is the built command, and
 * everything else is what it is.
 */
export const openTerminal = Effect.gen(function* () {
  const port = yield* freePort
  const place = mkdtempSync(join(tmpdir(), "muster-docs-"))
  const checkout = join(place, "muster")
  const bin = join(place, "bin")
  for (const directory of [checkout, bin]) mkdirSync(directory)
  cpSync(join(root, "scratchpad", "demo"), join(checkout, "scratchpad", "demo"), { recursive: true })
  const shim = (name: string, ways: Readonly<Record<string, string>>) => {
    const cases = Object.entries(ways).map(
      ([words, program]) => `"${words} "*) shift; exec ${program} "$@" ;;`
    )
    const other = `*) echo "${name} $*: not in these pages" >&2; exit 127 ;;`
    writeFileSync(join(bin, name), `#!/bin/sh\ncase "$* " in\n${[...cases, other].join("\n")}\nesac\n`, {
      mode: 0o755
    })
  }
  const demo = `sh -c 'cd "${root}" && node_modules/.bin/vite-node scratchpad/relay/demo.ts'`
  shim("npm", { start: `"${process.execPath}" "${programs.server}"`, "run relay:demo": demo })
  shim("npx", { muster: `"${process.execPath}" "${programs.command}"` })
  const environment = {
    PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(":"),
    HOME: place,
    SERVICE_PORT: String(port),
    GIT_AUTHOR_NAME: "You",
    GIT_AUTHOR_EMAIL: "you@example.com",
    GIT_COMMITTER_NAME: "You",
    GIT_COMMITTER_EMAIL: "you@example.com"
  }
  const names: Names = new Map()
  const running: Array<Running> = []
  const options = { cwd: checkout, env: environment, detached: true } as const
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
    Effect.zipRight(
      Effect.forEach([shell, ...running.map(({ child }) => child)], (child) => end(child, "SIGKILL")),
      Effect.sync(() => rmSync(place, { recursive: true, force: true }))
    )
  )

  /** A command of a page as it is typed here. */
  const typed = (command: string): string => {
    let text = command.replaceAll(home, place).replaceAll("localhost:3001", `localhost:${port}`)
    for (const [name, now] of names) text = text.replaceAll(name, now)
    return text
  }

  /** What was printed here as a page shows it. */
  const shown = (text: string): string =>
    text
      .replaceAll(place, home)
      .replaceAll(root, join(home, "muster"))
      .replaceAll(process.execPath, "/usr/bin/node")
      .replaceAll(`localhost:${port}`, "localhost:3001")
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .trim()

  const until = (done: () => boolean, patience = 20_000) =>
    Effect.sync(done).pipe(
      Effect.filterOrFail((is) => is),
      Effect.retry({ times: patience / 20, schedule: Schedule.spaced("20 millis") }),
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
      const child = spawn("bash", ["-c", `exec env ${typed(step.command)}`], options)
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
        : Effect.map(run(typed(step.command)), ({ code, printed }) => check(step, printed, code))
    },
    /** Compares what those who watched have seen in the end. */
    close: Effect.suspend(() =>
      Effect.forEach(
        running.filter(({ step }) => step.command.endsWith("watch")),
        ({ printed, step }) =>
          Effect.zipRight(
            until(() => difference(step.printed, shown(printed()), new Map(names)) === undefined, 3_000),
            Effect.sync(() => check(step, printed(), 0))
          )
      )
    )
  }
})
