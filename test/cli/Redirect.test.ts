import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cliWith } from "../support/Cli.ts"
import { stub } from "../support/Stub.ts"
import { toolsWith } from "../support/Tools.ts"
import { temporaryDirectory } from "../support/World.ts"

/** An address that leads elsewhere, and the elsewhere, which notes what reaches it. */
const leading = (status: number) =>
  Effect.gen(function* () {
    const elsewhere = yield* stub(() => ({ body: {} }))
    const here = yield* stub(({ url }) => ({ status, location: `${elsewhere.url}${url}?code=secret` }))
    const directory = yield* temporaryDirectory
    return {
      elsewhere,
      here,
      directory,
      environment: {
        SERVICE_API_URL: here.url,
        SERVICE_API_KEY: "the-key",
        SERVICE_DATA_DIR: directory
      }
    }
  })

describe("a redirect", () => {
  it.scopedLive(
    "is followed by no command, and named: a key goes where its owner said and nowhere else",
    () =>
      Effect.gen(function* () {
        for (const status of [301, 302, 303, 307, 308]) {
          const { directory, elsewhere, environment, here } = yield* leading(status)
          const file = join(directory, "tasks.jsonl")
          writeFileSync(file, '{"title":"One"}\n')
          for (const words of [
            ["list"],
            ["create", "One"],
            ["import", file],
            ["backup", join(directory, "board.db")],
            ["watch", "--limit", "1"]
          ]) {
            const ran = yield* cliWith(environment, ...words)
            assert.strictEqual(ran.exitCode, 2, `${status} ${words.join(" ")}: ${ran.stderr}`)
            assert.include(ran.stderr, `${here.url} redirects to ${elsewhere.url}; no key`)
            assert.notInclude(ran.stderr, "secret")
          }
          const doctor = yield* cliWith(environment, "doctor")
          assert.include(doctor.stdout, `redirects to ${elsewhere.url}`)
          assert.deepStrictEqual(elsewhere.seen, [])
        }
      })
  )

  it.scopedLive("is followed by no tool either", () =>
    Effect.gen(function* () {
      const { elsewhere, environment } = yield* leading(307)
      const { call } = yield* toolsWith(environment)
      const told = yield* call("create_task", { title: "One" })
      assert.isTrue(told.isError)
      assert.include(told.text, `redirects to ${elsewhere.url}`)
      assert.deepStrictEqual(elsewhere.seen, [])
    })
  )
})
