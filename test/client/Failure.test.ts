import { assert, describe, it } from "@effect/vitest"
import { readEnvelope } from "../../src/client/Client.ts"
import { ExitCode, tell, Unreachable } from "../../src/client/Failure.ts"

const told = (status: number, body: unknown) => {
  const refused = readEnvelope(status, body)
  assert.isDefined(refused)
  return refused === undefined ? undefined : tell(refused)
}
const nested = (code: string, message: string, details: object) => ({
  success: false,
  error: { code, message, details }
})

describe("a failure", () => {
  it("of a gate lists what is missing", () => {
    const review = told(
      400,
      nested("REVIEW_GATE_FAILED", "The review gate is on", {
        currentScores: { security: 10, reliability: 7, performance: null, accessibility: 10 },
        requiredScores: { security: 10, reliability: 10, performance: 10, accessibility: 10 }
      })
    )
    assert.strictEqual(review?.exitCode, ExitCode.conflict)
    assert.deepStrictEqual(review?.facts, ["reliability: 7, needs 10", "performance: no score, needs 10"])
    const comment = told(
      400,
      nested("CLOSING_COMMENT_REQUIRED", "A comment is missing", {
        commentCount: 2,
        longestComment: 9,
        requiredLength: 20
      })
    )
    assert.deepStrictEqual(comment?.facts, ["comments: 2; the longest has 9 characters, needs 20"])
    assert.include(comment?.remedy, "muster comment")
    const ceremony = told(
      400,
      nested("CEREMONY_REQUIRED", "A ceremony is missing", {
        ceremonyId: "cer_1",
        ceremonyType: "design-review",
        reasons: ["two agents"]
      })
    )
    assert.strictEqual(ceremony?.exitCode, ExitCode.conflict)
    assert.deepStrictEqual(ceremony?.facts, ["ceremony: design-review (cer_1)", "two agents"])
  })

  it("of a launch tells everything that stands against it, and what to do", () => {
    const refused = told(409, {
      error: "It has no shell. Choose another agent",
      code: "CONFLICT",
      details: {
        remediation: "Choose another agent",
        blockers: [
          { code: "capability-missing", message: "It has no shell" },
          { code: "phase-commit-unsupported", message: "It can't be held to explore" }
        ]
      }
    })
    assert.strictEqual(refused?.exitCode, ExitCode.conflict)
    assert.deepStrictEqual(refused?.facts, ["It can't be held to explore"])
    const full = told(409, { error: "There is no room now", code: "ADMISSION_OVERLOAD", details: {} })
    assert.strictEqual(full?.remedy, "muster admission shows who has the room.")
  })

  it("has an exit code for each kind, whichever envelope it comes in", () => {
    const cases: ReadonlyArray<readonly [number, unknown, number]> = [
      [400, { error: "Validation failed", code: "VALIDATION_ERROR", details: { issues: [] } }, 2],
      [401, { error: "No key", code: "UNAUTHORIZED", details: { remedy: "Send one" } }, 3],
      [403, { error: "No", code: "PERMISSION_DENIED" }, 3],
      [404, { error: "Nothing", code: "NOT_FOUND" }, 4],
      [409, { code: "CONFLICT", message: "Changed", details: {} }, 5],
      [413, { error: "Large", code: "PAYLOAD_TOO_LARGE" }, 2],
      [429, { error: "Often", code: "RATE_LIMITED" }, 6],
      [500, { error: "Broken", code: "INTERNAL_ERROR" }, 1],
      [500, nested("AUTO_TELEMETRY_FAILED", "Broken", {}), 1],
      [503, { error: "Full", code: "STORAGE_UNAVAILABLE" }, 6]
    ]
    for (const [status, body, exitCode] of cases) {
      assert.strictEqual(told(status, body)?.exitCode, exitCode, JSON.stringify(body))
      assert.strictEqual(told(status, body)?.envelope, body)
    }
    const unreachable = tell(new Unreachable({ url: "http://localhost:1", reason: "nobody listens there" }))
    assert.strictEqual(unreachable.exitCode, ExitCode.unavailable)
    assert.deepInclude(unreachable.envelope, { code: "UNAVAILABLE" })
  })

  it("says what the server says to do", () => {
    const refused = told(401, { error: "No key", code: "UNAUTHORIZED", details: { remedy: "Send one" } })
    assert.strictEqual(refused?.remedy, "Send one")
  })

  it("with fields of the wrong kind is told all the same", () => {
    const details = { issues: "none", conflicts: [1, { id: 2, sources: 3 }] }
    assert.deepStrictEqual(told(400, { error: "Odd", code: "ODD", details })?.facts, ["2 is claimed by "])
    for (const body of [null, "text", [], {}, { error: "no code" }, { code: "NO_MESSAGE" }, { error: {} }]) {
      assert.isUndefined(readEnvelope(500, body))
    }
  })
})
