import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ProfileWriting from "../../src/board/agent-profiles/ProfileWriting.ts"
import { system } from "../../src/kernel/Actor.ts"
import { sectionLimit } from "../../src/runs/launch/Prompt.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { ask, createTask } from "../support/Board.ts"
import { start } from "../support/Runs.ts"
import { configureScripts, endOf } from "../support/ScriptedAgents.ts"
import { World, world } from "../support/World.ts"

/** How often a letter stands in the longest row of it. */
const longest = (text: string, letter: string): number =>
  Math.max(0, ...(text.match(new RegExp(`${letter}+`, "g")) ?? []).map(({ length }) => length))

describe("what an agent is told", () => {
  it.scopedLive("holds at most 20,000 characters of its profile's instructions and of a checkpoint", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      const content = {
        name: "Scout",
        prompt: "Q".repeat(25_000),
        preferences: { model: "m-1" },
        metadata: {}
      }
      yield* write(ProfileWriting.create({ id: "scout", content }, system))
      yield* configureScripts({ keeps: 'cat > "$MUSTER_RUN_DIR/work/prompt"' })
      const disabled = yield* createTask()
      const refused = yield* start(disabled.id, { agent: "keeps", profileId: "scout" })
      assert.strictEqual(refused.body.details.blockers[0].code, "profile-disabled")
      yield* ask("PATCH", "/api/config/agent-profiles/scout", { as: "admin", body: { enabled: true } })

      const { id } = yield* createTask()
      yield* ask("POST", `/api/tasks/${id}/checkpoint`, { body: { state: { at: "Z".repeat(25_000) } } })
      const begun = yield* start(id, { agent: "keeps", profileId: "scout" })
      assert.strictEqual(begun.status, 201, JSON.stringify(begun.body))
      const { runLaunchManifest, taskEnvelope } = yield* endOf(id)
      assert.deepInclude(runLaunchManifest.runtime, { model: "m-1" })
      assert.strictEqual(runLaunchManifest.origins.model, "profile")
      assert.deepStrictEqual(
        runLaunchManifest.instructions.map(({ source }: { source: string }) => source),
        ["task", "profile"]
      )
      assert.deepStrictEqual(runLaunchManifest.resources, { shared: [] })
      const { directory } = yield* World
      const told = readFileSync(join(directory, "runs", begun.body.attemptId, "work", "prompt"), "utf8")
      assert.strictEqual(Buffer.byteLength(told), taskEnvelope.transport.promptBytes)
      assert.strictEqual(longest(told, "Q"), sectionLimit)
      const checkpoint = longest(told, "Z")
      assert.isAbove(checkpoint, sectionLimit - 100)
      assert.isAtMost(checkpoint, sectionLimit)
    }).pipe(Effect.provide(world()))
  )
})
