import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { variableNames } from "../../src/kernel/VariableNames.ts"
import { isLong } from "../support/Form.ts"
import { stepsOf } from "./Page.ts"
import { openTerminal } from "./Terminal.ts"

/*
 * The README and the pages of docs/, word by word: every command that stands behind `$ ` is run, one after another in
 * one terminal, and prints what stands below it (Printed.ts says what may differ). The ordinary run follows the README and
 * looks at the pages; the longer one follows them too.
 */

const root = resolve(import.meta.dirname, "..", "..")
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => join("docs", name))]
const textOf = (page: string): string => readFileSync(join(root, page), "utf8")

/** A page that starts no server of its own is read beside one that runs. */
const start = { line: 0, command: "npm start", printed: "…" }

const follow = (page: string) =>
  Effect.gen(function* () {
    const steps = stepsOf(join(root, page))
    const terminal = yield* openTerminal
    const own = steps.some(({ command }) => command.endsWith("npm start"))
    for (const step of own ? steps : [start, ...steps]) {
      const wrong = yield* terminal.take(step)
      if (wrong !== undefined) assert.fail(`${page}, ${wrong}`)
    }
    for (const wrong of yield* terminal.close) if (wrong !== undefined) assert.fail(`${page}, ${wrong}`)
  })

const followed = isLong ? pages : ["README.md"]

describe("the commands of", () => {
  for (const page of followed.filter((one) => stepsOf(join(root, one)).length > 0)) {
    it.scopedLive(`${page} print what it says`, () => follow(page))
  }
})

describe("the README", () => {
  it("is one page, and begins with the two commands", () => {
    const text = textOf("README.md")
    assert.isAtMost(text.split("\n").length, 150)
    assert.match(text, /^```sh\nnpm ci && npm start\nnpm ci && npm test\n```$/m)
  })

  it("leads to every page of docs", () => {
    for (const page of pages.slice(1)) assert.include(textOf("README.md"), `(${page})`)
  })
})

/** The anchor that a heading has. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")

describe.each(pages)("%s", (page) => {
  it("leads to what there is", () => {
    for (const [link, target = "", anchor] of textOf(page).matchAll(
      /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g
    )) {
      const file = target === "" ? join(root, page) : join(root, dirname(page), target)
      assert.isTrue(existsSync(file), link)
      if (anchor === undefined) continue
      const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text)
      assert.include(headings.map(anchorOf), anchor, link)
    }
  })

  it("names variables that are read", () => {
    const known = new Set<string>(variableNames)
    for (const [name] of textOf(page).matchAll(/\bSERVICE_[A-Z][A-Z_]+\b/g))
      assert.isTrue(known.has(name), name)
  })

  it("names operations that the contract has", () => {
    const { paths } = JSON.parse(textOf("openapi.json")) as {
      paths: Record<string, Record<string, unknown>>
    }
    const plain = (path: string) => path.replace(/\{[^}]+\}|:[A-Za-z]+|\b[A-Z]+$/g, "*")
    const known = new Set(
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${plain(path)}`)
      )
    )
    for (const [, method, path = ""] of textOf(page).matchAll(
      /\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`)?,;]*)/g
    )) {
      const asked = plain(path.replace(/^\/api(?:\/v1)?/, "")).replace(/[.:]$/, "")
      assert.isTrue(known.has(`${method} ${asked}`), `${method} ${path}`)
    }
  })
})
