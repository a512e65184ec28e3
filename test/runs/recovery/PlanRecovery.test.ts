import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { CompletionStatus } from "../../../src/runs/documents/Policies.ts"
import { type EndedAttempt, maxAttempts, planRecovery } from "../../../src/runs/recovery/PlanRecovery.ts"
import type { Recovery } from "../../../src/runs/recovery/RunRecovery.ts"
import { Command, decide, isPending } from "../../../src/runs/recovery/Transition.ts"

const ended: FastCheck.Arbitrary<EndedAttempt> = FastCheck.record({
  provider: FastCheck.constantFrom("gateway", "command", "acp", "app-server"),
  source: FastCheck.constantFrom("manual", "workflow", "recovery", "goal", "trigger"),
  status: FastCheck.constantFrom(...CompletionStatus.literals),
  terminalSource: FastCheck.constantFrom("callback", "process", "turn", "stop", "restart", "cancel")
})

const failed = { provider: "command", source: "manual", status: "failed", terminalSource: "process" } as const

describe("what follows an end", () => {
  it("is a recovery after 30, 60 and 120 seconds, and then none", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((before) => planRecovery(failed, before)),
      [
        { _tag: "Schedule", attemptNumber: 1, delayMs: 30_000 },
        { _tag: "Schedule", attemptNumber: 2, delayMs: 60_000 },
        { _tag: "Schedule", attemptNumber: 3, delayMs: 120_000 },
        { _tag: "Exhausted", attemptNumber: 3 }
      ]
    )
  })

  it("is nothing exactly when it went well, was decided, or is not the service's to start again", () => {
    FastCheck.assert(
      FastCheck.property(ended, FastCheck.nat(10), (end, before) => {
        const isNone =
          end.provider === "gateway" ||
          end.source === "workflow" ||
          ["success", "blocked", "partial"].includes(end.status) ||
          ["stop", "cancel"].includes(end.terminalSource)
        const plan = planRecovery(end, before)
        assert.strictEqual(plan._tag === "None", isNone)
        if (plan._tag === "None") return
        assert.isTrue(plan.attemptNumber >= 1)
        assert.strictEqual(plan._tag === "Exhausted", before >= maxAttempts)
      })
    )
  })
})

const fresh: Recovery = {
  id: "recovery_1",
  taskId: "task_1",
  parentAttemptId: "attempt_1",
  childAttemptId: null,
  state: "scheduled",
  reason: "The attempt failed",
  attemptNumber: 1,
  scheduledFor: 30_000,
  createdAt: 0,
  updatedAt: 0
}

const commands = FastCheck.oneof(
  FastCheck.constant(Command.Begin),
  FastCheck.constant(({ at }: { at: number }) => Command.Launch({ at, childAttemptId: `attempt_${at}` })),
  FastCheck.constant(({ at }: { at: number }) => Command.Postpone({ at, reason: "later" })),
  FastCheck.constant(({ at }: { at: number }) => Command.Fail({ at, reason: "never" })),
  FastCheck.constant(({ at }: { at: number }) => Command.Cancel({ at, reason: "no" }))
)

const histories = FastCheck.array(FastCheck.tuple(commands, FastCheck.nat(200_000)), { maxLength: 40 })

/** All that a recovery was under commands at ever later times. */
const lived = (history: ReadonlyArray<readonly [(moment: { at: number }) => Command, number]>) => {
  let at = 0
  let recovery = fresh
  const lives = [recovery]
  for (const [make, later] of history) {
    at += later
    recovery = decide(recovery, make({ at })) ?? recovery
    if (recovery !== lives.at(-1)) lives.push(recovery)
  }
  return lives
}

describe("a recovery", () => {
  it("launches one child at the most, never before its time, and nothing moves it once it is over", () => {
    FastCheck.assert(
      FastCheck.property(histories, (history) => {
        const lives = lived(history)
        assert.isAtMost(lives.filter(({ state }) => state === "launched").length, 1)
        lives.forEach((life, index) => {
          const before = lives[index - 1]
          if (before !== undefined) assert.isTrue(isPending(before), `${before.state} became ${life.state}`)
          if (life.state === "launching") assert.isTrue(life.updatedAt >= (life.scheduledFor ?? 0))
          if (life.state === "launched") assert.strictEqual(before?.state, "launching")
          assert.strictEqual(life.childAttemptId !== null, life.state === "launched")
        })
      })
    )
  })

  it("is not tried for ever: after an hour a launch that finds no room fails", () => {
    const launching = { ...fresh, state: "launching" } as const
    assert.deepInclude(decide(launching, Command.Postpone({ at: 3_600_000, reason: "full" })), {
      state: "scheduled",
      scheduledFor: 3_630_000
    })
    assert.deepInclude(decide(launching, Command.Postpone({ at: 3_600_001, reason: "full" })), {
      state: "failed",
      reason: "full"
    })
  })
})
