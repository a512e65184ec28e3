import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cli, cliAs } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

const created = Effect.flatMap(World, ({ request }) =>
  request("POST", "/api/tasks", { body: { id: "T-1", title: "Sail" } })
)

describe("chat", () => {
  it.scopedLive("begins a session, goes on in it, and shows what was said", () =>
    Effect.gen(function* () {
      yield* created
      assert.strictEqual((yield* cli("chat", "sessions")).stdout, "No chat sessions.")
      const begun = yield* cliAs("admin", "chat", "send", "--agent", "codex", "--task", "T-1", "How", "far?")
      assert.strictEqual(begun.exitCode, 0)
      const [, session = ""] = /^Sent to (chat_\w{16})$/.exec(begun.stdout) ?? []
      const answered = yield* cli("chat", "send", "--json", "--session", session, "Half \u001b[31mway")
      assert.deepInclude(answered.json(), { sessionId: session })
      const shown = yield* cli("chat", "history", session)
      assert.match(shown.stdout, /^\S+Z {2}admin: How far\?\n\S+Z {2}codex: Half way$/)
      const last = yield* cli("chat", "history", session, "--limit", "1", "--json")
      assert.deepStrictEqual(last.json(), { sessionId: session, messages: [answered.json().message] })
      assert.match(
        (yield* cli("chat", "sessions", "--task", "T-1")).stdout,
        new RegExp(`^${session} {2}\\S+Z {2}2 messages {2}with codex {2}about T-1$`)
      )
      assert.deepStrictEqual((yield* cli("chat", "sessions", "--task", "T-2", "--json")).json(), [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("tells that there is no such session", () =>
    Effect.gen(function* () {
      const ran = yield* cli("chat", "history", "chat_nowhere")
      assert.deepStrictEqual(
        [ran.exitCode, ran.stderr],
        [4, "muster: Chat session chat_nowhere does not exist"]
      )
    }).pipe(Effect.provide(world()))
  )
})
