import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { warningsOf } from "../../src/identity/auth/ShortKeys.ts"
import * as Process from "../support/Process.ts"
import { temporaryDirectory } from "../support/World.ts"

const key = (name: string, text: string) => ({ name, key: Redacted.make(text), role: "agent" as const })

describe("a short key of the environment", () => {
  it("is warned about by its variable and name, and a long one is not", () => {
    const warnings = warningsOf({
      adminKey: Redacted.make("x".repeat(15)),
      apiKeys: [key("codex", "short"), key("claude", "y".repeat(16)), key("emoji", "😀".repeat(15))]
    })
    assert.lengthOf(warnings, 3)
    for (const [index, name] of ["SERVICE_ADMIN_KEY", '"codex"', '"emoji"'].entries()) {
      assert.include(warnings[index], name)
    }
    for (const secret of ["xxx", "short ", "😀"]) assert.notInclude(warnings.join(), secret)
    assert.deepStrictEqual(warningsOf({ adminKey: undefined, apiKeys: [] }), [])
  })

  it.scopedLive("costs a line of the start, which goes on", () =>
    Effect.gen(function* () {
      const short = { SERVICE_ADMIN_KEY: "sEcReT-1", SERVICE_API_KEYS: "codex:sEcReT-2:agent" }
      const { output } = yield* Process.start(yield* temporaryDirectory, short)
      const lines = output().split("\n")
      assert.lengthOf(
        lines.filter((line) => line.includes("SERVICE_ADMIN_KEY has fewer than 16 characters")),
        1
      )
      assert.lengthOf(
        lines.filter((line) => line.includes("SERVICE_API_KEYS has fewer than 16 characters")),
        1
      )
      assert.notInclude(output(), "sEcReT")
      const long = { SERVICE_ADMIN_KEY: "a key that nobody guesses", SERVICE_API_KEYS: "" }
      const quiet = yield* Process.start(yield* temporaryDirectory, long)
      assert.notInclude(quiet.output(), "fewer than")
    })
  )
})
