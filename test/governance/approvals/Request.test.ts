import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { create, requestIdOf } from "../../../src/governance/approvals/Request.ts"
import {
  actionHashOf,
  isMobileSafe,
  RequestKind,
  RiskClass
} from "../../../src/governance/approvals/RunApproval.ts"
import { requestOf } from "../../support/Approvals.ts"

const made = (more: Parameters<typeof requestOf>[0] = {}) =>
  create(requestOf(more), { id: "approval_1", at: 0, workspaceId: "default" })

const secret = `ghp_${"hUnter2A".repeat(4)}aB12`

describe("a request for an approval", () => {
  it("waits for half an hour unless its asker says otherwise", () => {
    assert.strictEqual(made().expiresAt, "1970-01-01T00:30:00.000Z")
    assert.strictEqual(made({ lifetime: "1 minute" }).expiresAt, "1970-01-01T00:01:00.000Z")
  })

  it("has the class of its kind", () => {
    const classes = RequestKind.literals.map((requestKind) => [
      requestKind,
      made({ requestKind }).actionClass
    ])
    assert.deepStrictEqual(Object.fromEntries(classes), {
      "tool-call": "tool",
      command: "shell",
      "file-change": "filesystem",
      network: "network",
      budget: "budget",
      "phase-transition": "workflow",
      rewind: "filesystem",
      "workflow-gate": "workflow",
      elicitation: "elicitation"
    })
  })

  it("shows no secret, in whatever is said of the action", () => {
    const approval = made({
      action: `Call the API with ${secret}`,
      resourceScope: [`https://user:${secret}@example.com/`],
      workingDirectory: `/work/${secret}`,
      evidenceRevision: secret,
      providerRequestId: secret
    })
    assert.notInclude(JSON.stringify(approval), secret)
    assert.match(approval.action, /^Call the API with /)
  })

  it("shows an action as it is: nothing in it hides, or turns its order round", () => {
    const { action } = made({ action: "rm \u202e\u2066fr-\u2069 \u001b[2Ktmp\u0000" })
    assert.strictEqual(action, "rm fr- tmp")
    assert.strictEqual(made({ action: " \u200b" }).action, "command")
  })

  it("keeps a bounded part of what an agent says", () => {
    const long = "ab ".repeat(10_000)
    const approval = made({
      action: long,
      resourceScope: Array.from({ length: 1_000 }, () => long),
      workingDirectory: long,
      evidenceRevision: long,
      agentId: long,
      provider: long,
      providerRequestId: long
    })
    assert.isBelow(JSON.stringify(approval).length, 40_000)
  })

  it("is bound to the exact action: the order of keys is none of it, everything else is", () => {
    assert.strictEqual(actionHashOf({ a: 1, b: [2, 3] }), actionHashOf({ b: [2, 3], a: 1 }))
    assert.match(actionHashOf({}), /^sha256:[0-9a-f]{64}$/)
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), FastCheck.jsonValue(), (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other)
        if (same) assert.strictEqual(actionHashOf(one), actionHashOf(other))
      })
    )
    assert.notStrictEqual(actionHashOf({ argument: secret }), actionHashOf({ argument: `${secret}x` }))
  })

  it("has the id of its provider, or a digest that stands for what can't be kept", () => {
    assert.strictEqual(requestIdOf("7"), "7")
    assert.strictEqual(requestIdOf("call_5d8v0kq2m1x7c9zr"), "call_5d8v0kq2m1x7c9zr")
    for (const id of ["a".repeat(201), "\ud800", "a\u0000", secret]) {
      assert.match(requestIdOf(id), /^sha256:/)
      assert.strictEqual(requestIdOf(id), requestIdOf(id))
    }
  })
})

describe("what somebody may decide on a phone", () => {
  const safe = RequestKind.literals.flatMap((requestKind) =>
    RiskClass.literals.flatMap((riskClass) =>
      [true, false]
        .filter((readsOnly) => isMobileSafe({ requestKind, riskClass, readsOnly }))
        .map((readsOnly) => [requestKind, riskClass, readsOnly])
    )
  )

  it("is a tool that only reads, and the network, at a low or medium risk", () => {
    assert.deepStrictEqual(safe, [
      ["tool-call", "low", true],
      ["tool-call", "medium", true],
      ["network", "low", true],
      ["network", "low", false],
      ["network", "medium", true],
      ["network", "medium", false]
    ])
  })
})
