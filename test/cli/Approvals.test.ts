import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeTeller, readMessage } from "../../src/cli/live/Message.ts"
import { paint } from "../../src/cli/text/Paint.ts"
import { create } from "../../src/governance/approvals/Request.ts"
import { ask, requestOf } from "../support/Approvals.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { world } from "../support/World.ts"

const shared = sharedWorld()

const admin = (...args: ReadonlyArray<string>) => cliAs("admin", ...args)

describe("approvals", () => {
  it.scopedLive("lists what waits: what is to happen, where, at which risk, and for how long", () =>
    Effect.gen(function* () {
      const none = yield* cli("approvals")
      assert.deepStrictEqual([none.exitCode, none.stdout], [0, "No run waits for an approval."])
      const approval = yield* ask({
        taskId: "BACK-1",
        action: "Run npm publish",
        riskClass: "high",
        lifetime: "29 minutes"
      })
      const { stdout } = yield* cli("approvals")
      assert.match(
        stdout,
        new RegExp(
          [
            `^${approval.id}  codex on BACK-1, shell, high risk`,
            "  Run npm publish",
            "  in /work/repo",
            "  touches /work/repo",
            "  expires in 2[89] min, which the agent hears as no answer",
            "",
            "muster approvals approve APPROVAL lets it happen once; reject refuses it.$"
          ].join("\n")
        )
      )
      assert.deepStrictEqual((yield* cli("approvals", "--json")).json(), [approval])
      assert.deepStrictEqual((yield* cli("approvals", "--task", "BACK-2", "--json")).json(), [])
      const expired = yield* cli("approvals", "--status", "expired")
      assert.strictEqual(expired.stdout, "No approval is expired.")
      yield* admin("approvals", "reject", approval.id)
      const rejected = yield* cli("approvals", "--status", "rejected")
      assert.match(rejected.stdout, /^ {2}rejected by admin \d{4}-/m)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says what was decided and what comes of it, once", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* ask(), yield* ask()]
      const approved = yield* admin("approvals", "approve", one.id, "--note", "For this branch")
      assert.deepStrictEqual(
        [approved.exitCode, approved.stdout],
        [0, `Approved ${one.id}: Run npm test\nThe run may do it once, until ${one.expiresAt}.`]
      )
      const rejected = yield* admin("approvals", "reject", other.id, "--json")
      assert.deepInclude(rejected.json(), { id: other.id, status: "rejected", decidedBy: "admin" })
      for (const verb of ["approve", "reject"]) {
        const late = yield* admin("approvals", verb, one.id)
        assert.strictEqual(late.exitCode, 5)
        assert.include(late.stderr, "The approval was approved already: it stays approved")
      }
    }).pipe(Effect.provide(shared))
  )

  it("are told by the watch: that a run needs somebody, and that it no longer does", () => {
    const tell = makeTeller(paint(false))
    const told = (approval: object, type = "approval:changed") =>
      tell(readMessage(JSON.stringify({ type, approval, sequence: 1 })))
    const approval = create(requestOf({ action: "Push to\nmain" }), {
      id: "approval_1",
      at: 0,
      workspaceId: "default"
    })
    assert.strictEqual(
      told(approval, "approval:pending"),
      "needs you  approval_1 codex: Push to main (until 1970-01-01T00:30:00.000Z)"
    )
    const decided = { ...approval, status: "approved", decidedBy: "ann", decidedAt: approval.createdAt }
    assert.strictEqual(told(decided), "approved   approval_1 codex: Push to main (ann)")
    assert.strictEqual(
      told({ ...decided, usedAt: approval.createdAt }),
      "used       approval_1 codex: Push to main (ann)"
    )
    assert.strictEqual(told({ ...approval, status: "expired" }), "expired    approval_1 codex: Push to main")
    assert.strictEqual(told({ id: 7 }), 'approval:changed  {"approval":{"id":7}}')
  })

  it.scopedLive("says what is wrong: an unknown id, a key that may not, a word that is none", () =>
    Effect.gen(function* () {
      const { id } = yield* ask()
      assert.strictEqual((yield* admin("approvals", "approve", "nobody")).exitCode, 4)
      assert.strictEqual((yield* cli("approvals", "approve", id)).exitCode, 3)
      assert.strictEqual((yield* cli("approvals", "--status", "maybe")).exitCode, 2)
      assert.strictEqual((yield* admin("approvals", "approve", id, "--note", "a".repeat(2_001))).exitCode, 2)
      assert.strictEqual((yield* admin("approvals", "reject")).exitCode, 2)
    }).pipe(Effect.provide(shared))
  )
})
