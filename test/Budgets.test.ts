import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import * as HttpApi from "@effect/platform/HttpApi"
import { assert, describe, it } from "@effect/vitest"
import { Api } from "../src/Api.ts"

const root = resolve(import.meta.dirname, "..")
const source = join(root, "src")

const sources = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, lines: readFileSync(join(source, file), "utf8").split("\n").length }))

/*
 * What may grow with the product, and what may not. Whoever needs more says why in the commit that raises a number.
 */
describe("a budget", () => {
  it("is kept by the lines of the source for each endpoint that they serve", () => {
    let endpoints = 0
    HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: () => (endpoints += 1) })
    const lines = sources.reduce((sum, file) => sum + file.lines, 0)
    assert.isAbove(endpoints, 200)
    assert.isAtMost(lines / endpoints, 360)
  })

  it("is kept by files, which are read on a screen or two", () => {
    assert.deepStrictEqual(
      // The examples of the contract are a list, one for each route.
      sources.filter(({ file, lines }) => lines > 330 && file !== "Examples.ts"),
      []
    )
    const half = sources.map(({ lines }) => lines).toSorted((a, b) => a - b)[Math.floor(sources.length / 2)]
    assert.isAtMost(half ?? 0, 62)
  })

  it.each([
    { program: "Serve.cjs", megabytes: 6 },
    { program: "cli/Run.cjs", megabytes: 3 }
  ])("is kept by the bytes of $program", ({ megabytes, program }) => {
    assert.isAtMost(statSync(join(root, "dist", program)).size, megabytes * 1_048_576)
  })
})
