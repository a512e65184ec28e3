import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { isSealed } from "../../src/kernel/Digest.ts"
import { type Attempt, decide } from "../../src/runs/attempts/Attempt.ts"
import { conclude, type Ending } from "../../src/runs/completion/Conclude.ts"
import type { Claims } from "../../src/runs/documents/Claims.ts"
import type { WorkspaceEvidence } from "../../src/runs/documents/CompletionResult.ts"
import { CompletionStatus } from "../../src/runs/documents/Policies.ts"

const attempt: Attempt = {
  id: "attempt_1",
  taskId: "task_1",
  agent: "codex",
  provider: "gateway",
  source: "manual",
  state: "running",
  status: null,
  parentAttemptId: null,
  queueId: null,
  workspace: null,
  requestedBy: {
    name: "codex",
    role: "agent",
    userId: "codex",
    workspaceId: "default",
    actorType: "agent",
    authMethod: "api-key",
    permissions: []
  },
  createdAt: 0,
  startedAt: 0,
  endedAt: null,
  bindings: { runtimeManifest: "sha256:r", launchManifest: "sha256:l", envelope: "sha256:e" }
}

const untouched: WorkspaceEvidence = { baselineHead: "a", head: "a", commits: 0, files: [], truncated: false }

const ending = (over: Partial<Ending> = {}): Ending => ({
  attempt,
  claims: { status: "success", summary: "Done", verification: [{ name: "tests", status: "passed" }] },
  terminalSource: "callback",
  observed: { harness: { observedAt: "2026-11-21T09:30:00.000Z", expectedOutputs: [] }, sideEffects: [] },
  commitPolicy: "allowed",
  phaseEvidence: null,
  at: 1_000,
  ...over
})

const seeing = (
  harness: Partial<Ending["observed"]["harness"]>,
  sideEffects: Ending["observed"]["sideEffects"] = []
) => ({
  observed: { harness: { ...ending().observed.harness, ...harness }, sideEffects }
})

const codesOf = (over: Partial<Ending>) => {
  const { degradations, status } = conclude(ending(over))
  return [status, ...degradations.map(({ code }) => code)]
}

describe("the end of an attempt", () => {
  it("is a success when something stands behind it, and partial when it is a summary alone or what shows nothing", () => {
    assert.deepStrictEqual(codesOf({}), ["success"])
    for (const claims of [
      { status: "success" as const, summary: "Done" },
      { status: "success" as const, artifacts: [], verification: [], providerEvidence: {} },
      { status: "success" as const, artifacts: [{}, { kind: "file", path: " " }] },
      {
        status: "success" as const,
        verification: [{ status: "failed" as const }, { status: "skipped" as const }]
      }
    ]) {
      assert.deepStrictEqual(codesOf({ claims }), ["partial", "harness-evidence-absent"])
    }
  })

  it("is partial when the commit policy was broken", () => {
    const moved = { ...untouched, head: "b", commits: 1 }
    assert.deepStrictEqual(codesOf({ commitPolicy: "forbidden", ...seeing({ workspace: moved }) }), [
      "partial",
      "commit-policy-violated"
    ])
    assert.deepStrictEqual(codesOf({ commitPolicy: "required", ...seeing({ workspace: untouched }) }), [
      "partial",
      "commit-policy-violated"
    ])
    assert.deepStrictEqual(codesOf({ commitPolicy: "required", ...seeing({ workspace: moved }) }), [
      "success"
    ])
    assert.deepStrictEqual(
      codesOf({ commitPolicy: "required" }),
      ["success"],
      "there is nothing to commit to"
    )
  })

  it("is partial when a required output is missing, and not for an optional one", () => {
    const output = (required: boolean) =>
      seeing({ expectedOutputs: [{ id: "report", required, found: false }] })
    assert.deepStrictEqual(codesOf(output(true)), ["partial", "required-output-missing"])
    assert.deepStrictEqual(codesOf(output(false)), ["success"])
  })

  it("is partial when a side effect was not allowed, or nobody could look", () => {
    const effect = { kind: "filesystem-write" as const, scope: "a", authorized: false }
    assert.deepStrictEqual(codesOf(seeing({}, [effect])), ["partial", "side-effect-unauthorized"])
    assert.deepStrictEqual(codesOf(seeing({ workspace: { ...untouched, unreadable: "gone" } })), [
      "partial",
      "workspace-unreadable"
    ])
  })

  it("follows the exit of a process: 0 is evidence of its own, any other is no success", () => {
    const exited = (code: number | null, claims: Claims | null, signal: string | null = null) =>
      codesOf({ terminalSource: "process", claims, ...seeing({ exit: { code, signal } }) })
    assert.deepStrictEqual(exited(0, null), ["success"])
    assert.deepStrictEqual(exited(0, { status: "success", summary: "Done" }), ["success"])
    assert.deepStrictEqual(exited(3, null), ["failed"])
    assert.deepStrictEqual(exited(null, null, "SIGKILL"), ["failed"])
    assert.deepStrictEqual(exited(1, { status: "success", summary: "Done" }), ["failed"])
    assert.deepStrictEqual(exited(1, { status: "blocked", blockers: ["no key"] }), ["blocked"])
  })

  it("is interrupted by whoever stops it, whatever was claimed", () => {
    for (const terminalSource of ["stop", "cancel", "restart"] as const) {
      assert.deepStrictEqual(codesOf({ terminalSource, claims: null }), ["interrupted"])
    }
  })

  it("keeps what was claimed apart from what was seen, under a digest of its own", () => {
    const result = conclude(
      ending({
        claims: { status: "success", files: ["b", "c"], verification: [{ status: "passed" }] },
        ...seeing({ workspace: { ...untouched, files: ["a", "b"] } })
      })
    )
    assert.deepStrictEqual(result.files, [
      { path: "a", claimed: false, observed: true },
      { path: "b", claimed: true, observed: true },
      { path: "c", claimed: true, observed: false }
    ])
    assert.isTrue(isSealed(result))
  })

  it("never makes more of a claim than it says, and of a success only what is shown", () => {
    const claims = fc.record({
      status: fc.constantFrom(...CompletionStatus.literals),
      summary: fc.string(),
      verification: fc.array(fc.constant({ status: "passed" as const }), { maxLength: 2 })
    })
    fc.assert(
      fc.property(
        claims,
        fc.constantFrom("forbidden" as const, "allowed" as const, "required" as const),
        fc.boolean(),
        fc.boolean(),
        (claimed, commitPolicy, moved, found) => {
          const workspace = moved ? { ...untouched, head: "b", commits: 1 } : untouched
          const { degradations, status } = conclude(
            ending({
              claims: claimed,
              commitPolicy,
              ...seeing({ workspace, expectedOutputs: [{ id: "x", required: true, found }] })
            })
          )
          if (claimed.status !== "success") return status === claimed.status && degradations.length === 0
          const whole =
            claimed.verification.length > 0 &&
            found &&
            (commitPolicy === "allowed" || (commitPolicy === "required") === moved)
          return status === (whole ? "success" : "partial") && whole === (degradations.length === 0)
        }
      )
    )
  })
})

describe("the life of an attempt", () => {
  const command = fc.oneof(
    fc.constant({ _tag: "Dispatch" as const }),
    fc.constant({ _tag: "Return" as const }),
    fc.constant({ _tag: "Begin" as const }),
    fc.record({ _tag: fc.constant("End" as const), status: fc.constantFrom(...CompletionStatus.literals) })
  )

  it("ends once, in one status, and nothing moves it after that", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("queued" as const, "running" as const),
        fc.array(command),
        (first, commands) => {
          let state: Attempt["state"] = first
          let status: Attempt["status"] = null
          for (const one of commands) {
            const decision = decide({ state }, one)
            if (decision._tag === "Unfit") {
              assert.isTrue(state === "ended" || one._tag !== "End", "what is not over can end")
              continue
            }
            assert.notStrictEqual(state, "ended")
            ;({ state, status } = decision)
            assert.strictEqual(state === "ended", status !== null)
          }
        }
      )
    )
  })
})
