import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { leaveRunDirectory } from "../../../src/runs/managed/RunDirectory.ts"
import { sweepRunDirectories } from "../../../src/runs/managed/SweepRunDirectories.ts"
import { ask } from "../../support/Board.ts"
import { beginScript, configureScripts, endOf } from "../../support/ScriptedAgents.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

describe("the directory of a run", () => {
  it.scopedLive("keeps what the agent left there for 90 days, or as long as its task", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { directory } = yield* World
      yield* configureScripts({
        leaves: "cat > notes.md",
        tidy: "cat >/dev/null",
        works: "cat > notes.md; sleep 600"
      })
      const of = (attemptId: string) => join(directory, "runs", attemptId)
      const [left, deleted, tidy, working] = [
        yield* beginScript("leaves"),
        yield* beginScript("leaves"),
        yield* beginScript("tidy"),
        yield* beginScript("works")
      ]
      for (const { taskId } of [left, deleted, tidy]) yield* endOf(taskId)
      assert.isFalse(existsSync(of(tidy.attemptId)), "an empty one goes at once")
      mkdirSync(of("notes of the operator"))

      yield* clock.step("89 days")
      yield* sweepRunDirectories
      assert.isTrue(existsSync(join(of(left.attemptId), "work", "notes.md")))
      yield* ask("DELETE", `/api/tasks/${deleted.taskId}`, { as: "admin" })
      yield* sweepRunDirectories
      assert.isFalse(existsSync(of(deleted.attemptId)))
      yield* clock.step("2 days")
      yield* sweepRunDirectories
      assert.isFalse(existsSync(of(left.attemptId)))
      assert.isTrue(existsSync(of(working.attemptId)))
      assert.isTrue(existsSync(of("notes of the operator")))
    }).pipe(Effect.provide(Layer.provideMerge(world(), clock.layer)))
  })

  it.scopedLive("stays when nobody can tell whether there is work in it", () =>
    Effect.gen(function* () {
      const path = yield* temporaryDirectory
      const scratch = join(path, "work")
      writeFileSync(scratch, "not a directory any more")
      yield* leaveRunDirectory({ path, scratch })
      assert.isTrue(existsSync(scratch))
      yield* leaveRunDirectory({ path, scratch: join(path, "gone") })
      assert.isFalse(existsSync(path))
    })
  )

  it.scopedLive("that can't be made fails its run, which says why and gives its place back", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      yield* configureScripts({ never: "cat >/dev/null" })
      writeFileSync(join(directory, "runs"), "")
      const { taskId } = yield* beginScript("never")
      const { completionResult } = yield* endOf(taskId)
      assert.strictEqual(completionResult.status, "failed")
      assert.include(JSON.stringify(completionResult), "a file stands where a directory should be")
      assert.deepStrictEqual(yield* ask("GET", "/api/admission?state=active"), [])
    }).pipe(Effect.provide(world()))
  )
})
