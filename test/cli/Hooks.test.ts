import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { cli, cliAs } from "../support/Cli.ts"
import { target } from "../support/Target.ts"
import { world } from "../support/World.ts"

const admin = (...args: ReadonlyArray<string>) => cliAs("admin", ...args)

describe("hooks", () => {
  it.scopedLive("adds a webhook, shows it, tries it, and removes it", () =>
    Effect.gen(function* () {
      const to = yield* target()
      assert.strictEqual((yield* admin("hooks", "list")).stdout, "No hooks.")
      const filters = ["--new-status", "done", "--project", "docs", "--priority", "high"]
      const add = ["hooks", "add", "Tell them", "--event", "task.status.changed", "--url", to.url]
      const added = yield* admin(...add, ...filters, "--secret", "env:HOOK_KEY", "--json")
      assert.strictEqual(added.exitCode, 0)
      const hook = added.json()
      assert.deepInclude(hook, {
        name: "Tell them",
        filter: { newStatus: "done", project: "docs", priority: "high" },
        action: { type: "webhook", url: to.url, secretRef: "env:HOOK_KEY" }
      })
      const hidden = ["hooks", "add", "Hidden", "--event", "task.archived", "--url-ref", "env:HOOK_URL"]
      const held = yield* admin(...hidden, "--credential", "env:HOOK_TOKEN", "--json")
      assert.deepStrictEqual(held.json().action, {
        type: "webhook",
        urlRef: "env:HOOK_URL",
        credentialRef: "env:HOOK_TOKEN"
      })
      assert.match((yield* admin("hooks", "list")).stdout, / on +env:HOOK_URL +Hidden$/m)
      const plain = yield* admin("hooks", "add", "Plain", "--event", "task.created", "--url", to.url)
      assert.match(plain.stdout, /^Added hook_\w+ Plain$/)
      const id = /hook_\w+/.exec(plain.stdout)?.[0] ?? ""
      const listed = yield* admin("hooks", "list")
      assert.match(listed.stdout, /^ID +EVENT +STATE +URL +NAME\nhook_/)
      assert.include(listed.stdout, hook.id)

      const fired = yield* admin("hooks", "fire", "--hook", id)
      assert.strictEqual(fired.stdout, "Fired 1 hook; muster hooks executions shows what comes of it")
      yield* Queue.take(to.arrivals)
      assert.strictEqual(
        (yield* admin("hooks", "fire", "--event", "run.started")).stdout,
        "No hook waits for it."
      )
      for (;;) {
        const { stdout } = yield* cli("hooks", "executions", "--hook", id, "--status", "success")
        if (/success +task.created +hook_\w+ +1 +200$/m.test(stdout)) break
        yield* Effect.sleep(5)
      }
      const removed = yield* admin("hooks", "remove", id)
      assert.deepStrictEqual([removed.exitCode, removed.stdout], [0, `Removed ${id}`])
      const again = yield* admin("hooks", "remove", id, "--json")
      assert.strictEqual(again.exitCode, 4)
      assert.deepInclude(again.json(), { code: "NOT_FOUND" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says what is wrong before and after asking", () =>
    Effect.gen(function* () {
      const add = (event: string, url: string) => ["hooks", "add", "Tell", "--event", event, "--url", url]
      assert.strictEqual((yield* admin(...add("task.sneezed", "https://a.example"))).exitCode, 2)
      const refused = yield* admin(...add("task.created", "http://169.254.169.254/"))
      assert.strictEqual(refused.exitCode, 2)
      assert.include(refused.stderr, "action.url")
      assert.strictEqual((yield* cli(...add("task.created", "https://a.example"))).exitCode, 3)
      for (const urls of [[], ["--url", "https://a.example", "--url-ref", "env:HOOK_URL"]]) {
        const misused = yield* admin("hooks", "add", "Tell", "--event", "task.created", ...urls)
        assert.strictEqual(misused.exitCode, 2)
        assert.include(misused.stderr, "--url-ref env:NAME")
      }
      for (const both of [[], ["--hook", "hook_1", "--event", "task.created"]]) {
        const misused = yield* admin("hooks", "fire", ...both)
        assert.strictEqual(misused.exitCode, 2)
        assert.include(misused.stderr, "either a hook or an event")
      }
    }).pipe(Effect.provide(world()))
  )
})
