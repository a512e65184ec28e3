import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { Effect, type Scope } from "effect"
import { programs } from "../support/Programs.ts"

const root = resolve(import.meta.dirname, "..", "..")

/** Where a page says that its reader is, and where the checkout lies there. */
const home = "/home/you"

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() =>
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    )
  })
})

/** Writes a program that does a few things, by its first words, and refuses all others. */
const writeShim = (directory: string, name: string, ways: Readonly<Record<string, string>>) => {
  const cases = Object.entries(ways).map(([words, program]) => `"${words} "*) shift; exec ${program} "$@" ;;`)
  const other = `*) echo "${name} $*: not in these pages" >&2; exit 127 ;;`
  const text = `#!/bin/sh\ncase "$* " in\n${[...cases, other].join("\n")}\nesac\n`
  writeFileSync(join(directory, name), text, { mode: 0o755 })
}

/** A checkout in which the pages are followed. */
export interface Checkout {
  readonly port: number
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  /** A command of a page as it is typed here. */
  readonly typed: (command: string) => string
  /** What was printed here as a page shows it. */
  readonly shown: (text: string) => string
}

/**
 * Makes a home with a checkout in it: `npm start` starts the built server there, `npx muster` is the built command, and
 * every other program is what it is.
 */
export const makeCheckout: Effect.Effect<Checkout, never, Scope.Scope> = Effect.gen(function* () {
  const port = yield* freePort
  const place = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "muster-docs-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const directory = join(place, "muster")
  const bin = join(place, "bin")
  for (const made of [directory, bin]) mkdirSync(made)
  cpSync(join(root, "scratchpad", "demo"), join(directory, "scratchpad", "demo"), { recursive: true })
  const demo = `sh -c 'cd "${root}" && node_modules/.bin/vite-node scratchpad/relay/demo.ts'`
  writeShim(bin, "npm", { start: `"${process.execPath}" "${programs.server}"`, "run relay:demo": demo })
  writeShim(bin, "npx", { muster: `"${process.execPath}" "${programs.command}"` })
  return {
    port,
    directory,
    environment: {
      PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(":"),
      HOME: place,
      SERVICE_PORT: String(port),
      GIT_AUTHOR_NAME: "You",
      GIT_AUTHOR_EMAIL: "you@example.com",
      GIT_COMMITTER_NAME: "You",
      GIT_COMMITTER_EMAIL: "you@example.com"
    },
    typed: (command) => command.replaceAll(home, place).replaceAll("localhost:3001", `localhost:${port}`),
    shown: (text) =>
      text
        .replaceAll(place, home)
        .replaceAll(root, join(home, "muster"))
        .replaceAll(process.execPath, "/usr/bin/node")
        .replaceAll(`localhost:${port}`, "localhost:3001")
        .replace(/[ \t]+$/gm, "")
        .trim()
  }
})
