import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { choose, launch, launchLater } from "../governance/queue/Launches.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { world } from "../support/World.ts"

describe("admission", () => {
  it.scopedLive("says what runs, what waits, in which place and for what, and takes one out", () =>
    Effect.gen(function* () {
      const nothing = yield* cli("admission")
      assert.deepStrictEqual([nothing.exitCode, nothing.stdout], [0, "Nothing runs.\n\nNobody waits."])
      yield* choose({ limits: { workspace: { runs: 1 }, host: { runs: 1 } } })
      yield* launch("attempt_1")
      const { queueId } = yield* launchLater("attempt_2", { source: "scheduled" })
      const urgent = yield* launchLater("attempt_3", { priority: "high" })
      const { stdout } = yield* cli("admission")
      assert.match(
        stdout,
        /^RUNS +TASK +PROVIDER +SOURCE +SINCE\nattempt_1 +task-of-attempt_1 +command +manual +\d/
      )
      assert.match(
        stdout,
        new RegExp(
          `\n${urgent.queueId} +1 +high +manual +\\S.* +room in workspace default and in its machine\n`
        )
      )
      assert.match(stdout, new RegExp(`\n${queueId} +2 +medium +scheduled +\\S.* +room in workspace default`))
      const { queue, reservations } = (yield* cli("admission", "--json")).json()
      assert.strictEqual(queue.schemaVersion, "admission-queue-list/v1")
      assert.strictEqual(reservations[0].schemaVersion, "admission-reservation/v1")

      assert.strictEqual((yield* cli("admission", "cancel", queueId)).exitCode, 3)
      const cancelled = yield* cliAs("admin", "admission", "cancel", queueId)
      assert.strictEqual(
        cancelled.stdout,
        `Cancelled ${queueId}: it will not start, and its attempt has ended`
      )
      const again = yield* cliAs("admin", "admission", "cancel", queueId)
      assert.strictEqual(again.exitCode, 5)
      assert.include(again.stderr, "This is over")
      assert.strictEqual((yield* cliAs("admin", "admission", "cancel", "none")).exitCode, 4)
    }).pipe(Effect.provide(world()))
  )
})
