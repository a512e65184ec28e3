import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import {
  decide,
  defaultMode,
  environmentFaults,
  type Found,
  type JournalOperation,
  type JournalOverride,
  lapseOf,
  needsOverride,
  type OperationState,
  type ReasonCode,
  settled
} from "../../../src/storage/sqlite/JournalMode.ts"

const override: JournalOverride = {
  mode: "delete",
  reason: "One disk, many readers",
  expiresAt: 1_000,
  hostDigest: "sha256:here",
  operationId: "journal_1",
  grantedBy: "admin"
}

const operation: JournalOperation = {
  id: "journal_1",
  targetMode: "delete",
  fromMode: "wal",
  state: "scheduled",
  reasonCodes: [],
  requestedBy: "admin",
  requestedAt: 0,
  override
}

const found: Found = {
  posture: "supported-local",
  environment: { topology: "single-host", hostId: "here" },
  hostDigest: "sha256:here",
  operation: undefined,
  override: undefined,
  at: 500
}

describe("the journal mode", () => {
  it("is WAL on a disk of this machine, and delete where nobody knows what memory is shared", () => {
    assert.deepInclude(decide(found), { mode: "wal", decisionSource: "filesystem-policy" })
    assert.deepInclude(decide({ ...found, posture: "unknown" }), { mode: "delete" })
    assert.isFalse(needsOverride("wal", "supported-local"))
    assert.isTrue(needsOverride("delete", "supported-local"))
    assert.isTrue(needsOverride("wal", "unknown"))
    assert.isTrue(needsOverride("delete", "unknown"))
  })

  it("is that of a scheduled change, whose override stands from then on", () => {
    const decision = decide({ ...found, operation })
    assert.deepInclude(decision, { mode: "delete", decisionSource: "override", override })
    assert.deepInclude(decision.operation, { state: "applied", settledAt: 500 })
    const next = decide({ ...found, override: decision.override })
    assert.deepInclude(next, { mode: "delete", decisionSource: "override", operation: undefined })
  })

  it("goes back to the ordinary one by a change without an override", () => {
    const { override: _, ...plain } = operation
    const decision = decide({ ...found, override, operation: { ...plain, targetMode: "wal" } })
    assert.deepInclude(decision, { mode: "wal", decisionSource: "filesystem-policy", override: undefined })
  })

  it("stays the ordinary one when the change does not hold any more, and says why", () => {
    const outcomes: ReadonlyArray<readonly [Partial<Found>, OperationState, ReasonCode]> = [
      [{ at: 1_000 }, "expired", "expired"],
      [{ hostDigest: "sha256:there" }, "refused", "host-id-changed"],
      [{ environment: { topology: "single-host" } }, "refused", "host-id-missing"],
      [{ environment: { topology: "multi-host", hostId: "here" } }, "refused", "topology-not-single-host"],
      [{ environment: {} }, "refused", "topology-not-single-host"],
      [{ posture: "known-unsafe" }, "refused", "filesystem-known-unsafe"]
    ]
    for (const [difference, state, reason] of outcomes) {
      const decision = decide({ ...found, operation, ...difference })
      assert.deepInclude(decision.operation, { state, reasonCodes: [reason] })
      assert.strictEqual(decision.decisionSource, "filesystem-policy")
    }
    const { override: _, ...plain } = operation
    const moved = decide({ ...found, posture: "unknown", operation: { ...plain, targetMode: "wal" } })
    assert.deepInclude(moved.operation, { state: "refused", reasonCodes: ["filesystem-changed"] })
    assert.strictEqual(moved.mode, "delete")
  })

  it("keeps a standing override when a later change does not hold", () => {
    const late = { ...operation, id: "journal_2", override: { ...override, expiresAt: 100 } }
    const decision = decide({ ...found, override, operation: late })
    assert.deepInclude(decision, { mode: "delete", decisionSource: "override", override })
    assert.deepInclude(decision.operation, { state: "expired" })
  })

  it("is not what SQLite did not take", () => {
    const { operation: applied } = decide({ ...found, operation })
    assert.isDefined(applied)
    if (applied === undefined) return
    assert.deepInclude(settled(applied, "delete"), { state: "applied", resultMode: "delete" })
    assert.deepInclude(settled(applied, "wal"), {
      state: "failed",
      reasonCodes: ["mode-not-taken"],
      resultMode: "wal"
    })
  })

  it("needs a host that keeps its name, a topology, and a file system that is not unsafe", () => {
    assert.deepStrictEqual(environmentFaults({ topology: "single-host", hostId: "a" }, "supported-local"), [])
    assert.deepStrictEqual(environmentFaults({}, "known-unsafe"), [
      "filesystem-known-unsafe",
      "topology-not-single-host",
      "host-id-missing"
    ])
  })

  it("is never WAL, and never overridden, on an unsafe file system, whatever is stored", () => {
    const overrides = FastCheck.record({
      mode: FastCheck.constantFrom<"wal" | "delete">("wal", "delete"),
      reason: FastCheck.string(),
      expiresAt: FastCheck.integer(),
      hostDigest: FastCheck.constantFrom("sha256:here", "sha256:there"),
      operationId: FastCheck.string(),
      grantedBy: FastCheck.string()
    })
    FastCheck.assert(
      FastCheck.property(
        FastCheck.option(overrides, { nil: undefined }),
        FastCheck.option(overrides, { nil: undefined }),
        FastCheck.integer(),
        (standing, wanted, at) => {
          const decision = decide({
            ...found,
            posture: "known-unsafe",
            at,
            override: standing,
            operation:
              wanted === undefined ? undefined : { ...operation, targetMode: wanted.mode, override: wanted }
          })
          assert.strictEqual(decision.mode, "delete")
          assert.strictEqual(decision.decisionSource, "filesystem-policy")
        }
      )
    )
  })

  it("is in force for exactly as long as nothing speaks against its override", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer(), FastCheck.boolean(), (at, revoked) => {
        const standing = revoked ? { ...override, revokedAt: 1 } : override
        const inForce = lapseOf(standing, { ...found, at }) === undefined
        assert.strictEqual(inForce, !revoked && at < override.expiresAt)
        const { mode } = decide({ ...found, at, override: standing })
        assert.strictEqual(mode, inForce ? "delete" : defaultMode(found.posture))
      })
    )
  })
})
