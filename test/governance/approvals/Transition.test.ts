import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { create } from "../../../src/governance/approvals/Request.ts"
import {
  type ApprovalStatus,
  actionHashOf,
  asOf,
  isOver,
  type RunApproval
} from "../../../src/governance/approvals/RunApproval.ts"
import { Command, decide, type Use, use } from "../../../src/governance/approvals/Transition.ts"
import { requestOf } from "../../support/Approvals.ts"

const lifetime = 100
const request = requestOf({ exact: { command: "make" }, lifetime })
const pending = create(request, { id: "approval_1", at: 0, workspaceId: "default" })
const { actionHash, attemptId, requestKind } = pending

const moment = FastCheck.integer({ min: 0, max: 2 * lifetime })

/** A step in the life of an approval, after the one before it. */
type Step = { readonly after: number } & (
  | {
      readonly does: "decide"
      readonly answer: "approved" | "rejected"
      readonly alive: boolean
      readonly seen: Seen
    }
  | { readonly does: "expire" | "cancel" }
  | { readonly does: "use"; readonly wrong: Wrong }
)
type Seen = "now" | "earlier" | "another-action" | "nothing"
type Wrong = "nothing" | "attempt" | "kind" | "action"

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.record({
    after: FastCheck.integer({ min: 0, max: lifetime / 2 }),
    does: FastCheck.constant("decide" as const),
    answer: FastCheck.constantFrom("approved" as const, "rejected" as const),
    alive: FastCheck.boolean(),
    seen: FastCheck.constantFrom<Seen>("now", "earlier", "another-action", "nothing")
  }),
  FastCheck.record({
    after: FastCheck.integer({ min: 0, max: lifetime / 2 }),
    does: FastCheck.constantFrom("expire" as const, "cancel" as const)
  }),
  FastCheck.record({
    after: FastCheck.integer({ min: 0, max: lifetime / 2 }),
    does: FastCheck.constant("use" as const),
    wrong: FastCheck.constantFrom<Wrong>("nothing", "attempt", "kind", "action")
  })
)

const seenOf = (seen: Seen, { actionHash, revision }: RunApproval) => {
  switch (seen) {
    case "now":
      return { seen: { revision, actionHash } }
    case "earlier":
      return { seen: { revision: revision - 1, actionHash } }
    case "another-action":
      return { seen: { revision, actionHash: actionHashOf("another") } }
    case "nothing":
      return {}
  }
}

const useOf = (wrong: Wrong, at: number): Use => ({
  at,
  attemptId: wrong === "attempt" ? "another" : attemptId,
  requestKind: wrong === "kind" ? "network" : requestKind,
  actionHash: wrong === "action" ? actionHashOf("another") : actionHash
})

const take = (before: RunApproval, at: number, step: Step) => {
  switch (step.does) {
    case "decide":
      return decide(
        before,
        Command.Decide({
          at,
          answer: step.answer,
          by: "ann",
          askerIsAlive: step.alive,
          ...seenOf(step.seen, before)
        })
      )
    case "expire":
      return decide(before, Command.Expire({ at }))
    case "cancel":
      return decide(before, Command.Cancel({ at }))
    case "use":
      return use(before, useOf(step.wrong, at))
  }
}

/** Every state that the steps lead through, with the step that led there. */
const livedBy = (steps: ReadonlyArray<Step>) => {
  let at = 0
  let approval = pending
  return steps.map((step) => {
    const before = approval
    at += step.after
    const { approval: after, refusal } = take(before, at, step)
    approval = after
    return { step, at, before, after, refusal }
  })
}

const always = (property: (lived: ReturnType<typeof livedBy>) => void) =>
  FastCheck.assert(
    FastCheck.property(FastCheck.array(step, { maxLength: 12 }), (steps) => property(livedBy(steps)))
  )

const decideAt = (at: number, more: Partial<Omit<Parameters<typeof Command.Decide>[0], "at">> = {}) =>
  Command.Decide({ at, answer: "approved", by: "ann", askerIsAlive: true, ...more })

describe("an approval", () => {
  it("leaves `pending` once, and never leaves what it became", () =>
    always((lived) => {
      for (const { after, before } of lived) {
        if (before.status !== "pending") assert.strictEqual(after.status, before.status)
      }
    }))

  it("is never decided by the clock: what expired was answered by nobody", () =>
    always((lived) => {
      for (const { after } of lived) {
        const isAnswered = after.status === "approved" || after.status === "rejected"
        assert.strictEqual(after.decidedBy !== undefined, isAnswered)
        assert.strictEqual(after.decidedAt !== undefined, isAnswered)
      }
    }))

  it("waits exactly until its time is over", () =>
    always((lived) => {
      for (const { after, at } of lived) {
        if (after.status === "pending") assert.isFalse(isOver(after, at))
        if (after.decidedAt !== undefined)
          assert.isBelow(Date.parse(after.decidedAt), Date.parse(after.expiresAt))
      }
    }))

  it("is used once at the most, when it was approved, and before its time is over", () =>
    always((lived) => {
      const used = lived.filter(({ after, before }) => after.usedAt !== before.usedAt)
      assert.isAtMost(used.length, 1)
      for (const { after, at, before, step } of used) {
        assert.strictEqual(before.status, "approved")
        assert.deepInclude(step, { does: "use", wrong: "nothing" })
        assert.isFalse(isOver(after, at))
      }
    }))

  it("rises by one revision with each change, and with nothing else", () =>
    always((lived) => {
      for (const { after, before } of lived) {
        const { revision: now, updatedAt: _, ...said } = after
        const { revision: then, updatedAt: __, ...saidBefore } = before
        const hasChanged = JSON.stringify(said) !== JSON.stringify(saidBefore)
        assert.strictEqual(now, hasChanged ? then + 1 : then)
      }
    }))

  it("is not changed by what is refused, except that its time or its run was over", () =>
    always((lived) => {
      for (const { after, before, refusal } of lived) {
        if (refusal === undefined || after.revision === before.revision) continue
        assert.include(["expired", "cancelled"], after.status)
        assert.strictEqual(before.status, "pending")
      }
    }))

  it("keeps what was asked for, whatever happens", () =>
    always((lived) => {
      for (const { after } of lived) {
        for (const field of ["id", "actionHash", "action", "attemptId", "expiresAt", "createdAt"] as const) {
          assert.strictEqual(after[field], pending[field])
        }
      }
    }))

  it("reads the same whether or not its end was written down already", () =>
    FastCheck.assert(
      FastCheck.property(moment, moment, (one, later) => {
        const [at, then] = [Math.min(one, later), Math.max(one, later)]
        const written = decide(pending, Command.Expire({ at })).approval
        assert.deepStrictEqual(asOf(written, then), asOf(pending, then))
      })
    ))
})

describe("a decision", () => {
  it.each([
    ["approved", "approved"],
    ["rejected", "rejected"]
  ] as const)("%s makes it %s, and says who and when", (answer, status) => {
    const { approval, refusal } = decide(pending, decideAt(10, { answer, note: "Once", seen: pending }))
    assert.isUndefined(refusal)
    assert.deepInclude(approval, {
      status,
      revision: 2,
      decidedBy: "ann",
      decidedAt: "1970-01-01T00:00:00.010Z",
      note: "Once"
    })
  })

  it("about an earlier revision or another action is refused, and it still waits", () => {
    for (const [seen, tag] of [
      [{ revision: 0, actionHash }, "SeenEarlier"],
      [{ revision: 1, actionHash: actionHashOf("another") }, "ActionChanged"],
      [{ revision: 0, actionHash: actionHashOf("another") }, "SeenEarlier"]
    ] as const) {
      const { approval, refusal } = decide(pending, decideAt(10, { seen }))
      assert.deepStrictEqual([approval, refusal?._tag], [pending, tag])
    }
  })

  it("at the very moment of expiry comes too late, one millisecond before does not", () => {
    const late = decide(pending, decideAt(lifetime))
    assert.deepStrictEqual([late.approval.status, late.refusal?._tag], ["expired", "ApprovalSettled"])
    assert.deepInclude(late.refusal, { status: "expired" })
    assert.strictEqual(decide(pending, decideAt(lifetime - 1)).approval.status, "approved")
  })

  it("for a run that is over cancels it; for one that is over and expired it stays expired", () => {
    const gone = decide(pending, decideAt(10, { askerIsAlive: false }))
    assert.deepStrictEqual([gone.approval.status, gone.refusal?._tag], ["cancelled", "AskerGone"])
    const both = decide(pending, decideAt(lifetime, { askerIsAlive: false }))
    assert.deepStrictEqual([both.approval.status, both.refusal?._tag], ["expired", "ApprovalSettled"])
  })
})

describe("the use of an approval", () => {
  const approved = decide(pending, decideAt(10)).approval
  const used = use(approved, useOf("nothing", 20)).approval
  const states: Record<ApprovalStatus, RunApproval> = {
    pending,
    approved,
    rejected: decide(pending, decideAt(10, { answer: "rejected" })).approval,
    expired: asOf(pending, lifetime),
    cancelled: decide(pending, Command.Cancel({ at: 10 })).approval
  }

  it("is let happen when it was approved, and says when", () => {
    assert.deepInclude(used, { status: "approved", revision: 3, usedAt: "1970-01-01T00:00:00.020Z" })
  })

  it.each([
    ["pending", states.pending, useOf("nothing", 20)],
    ["rejected", states.rejected, useOf("nothing", 20)],
    ["expired", states.expired, useOf("nothing", lifetime)],
    ["expired", states.pending, useOf("nothing", lifetime)],
    ["cancelled", states.cancelled, useOf("nothing", 20)],
    ["used", used, useOf("nothing", 30)],
    ["lapsed", approved, useOf("nothing", lifetime)],
    ["other-attempt", approved, useOf("attempt", 20)],
    ["other-kind", approved, useOf("kind", 20)],
    ["other-action", approved, useOf("action", 20)],
    ["other-action", states.pending, useOf("action", 20)]
  ] as const)("is refused with the reason %s", (reason, before, action) => {
    assert.deepInclude(use(before, action).refusal, { _tag: "ApprovalNotUsable", reason })
  })
})
