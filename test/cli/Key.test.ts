import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cliAs, cliWith } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

const admin = (...args: ReadonlyArray<string>) => cliAs("admin", "key", ...args)

/** Runs a command with a key that was made. */
const withKey = (key: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(World, ({ baseUrl, directory }) =>
    cliWith({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: key, SERVICE_DATA_DIR: directory }, ...args)
  )

describe("a key", () => {
  it.scopedLive("is shown once, and what is done with it bears its name", () =>
    Effect.gen(function* () {
      const made = yield* admin("create", "ada")
      assert.match(
        made.stdout,
        /^Made token_\w{16} for ada, as agent\nKey: muster_token_\S+\nIt is shown this once/
      )
      const key = /muster_token_\S+/.exec(made.stdout)?.[0] ?? ""
      const task = (yield* withKey(key, "create", "Count", "--json")).json()
      assert.strictEqual(task.createdBy, "ada")
      assert.strictEqual((yield* withKey(key, "begin", task.id, "--json")).json().assignee, "ada")
      for (const words of [["list"], ["list", "--json"]]) {
        const listed = yield* admin(...words)
        assert.include(listed.stdout, "ada")
        assert.notInclude(listed.stdout, key)
      }
      assert.strictEqual((yield* withKey(key, "key", "create", "eve")).exitCode, 3, "an agent makes none")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("may have less than its role, and an end", () =>
    Effect.gen(function* () {
      const words = ["reader", "--role", "agent", "--scope", "task:read", "--expires", "2999-01-01T00:00:00Z"]
      const made = (yield* admin("create", ...words, "--json")).json()
      assert.deepInclude(made, {
        role: "agent",
        scopes: ["task:read"],
        expiresAt: "2999-01-01T00:00:00.000Z"
      })
      assert.strictEqual((yield* withKey(made.token, "list")).exitCode, 0)
      assert.strictEqual((yield* withKey(made.token, "create", "A")).exitCode, 3)
      const wrong = yield* admin("create", "reader", "--scope", "task:raed")
      assert.strictEqual(wrong.exitCode, 2)
      assert.include(wrong.stderr, 'did you mean "task:read"?')
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("alone is printed for a script", () =>
    Effect.gen(function* () {
      const { stdout } = yield* admin("create", "ci", "--bare")
      assert.match(stdout, /^muster_token_\S+$/)
      assert.strictEqual((yield* withKey(stdout, "list")).exitCode, 0)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is ended by its id, or by its name where only one valid key has it", () =>
    Effect.gen(function* () {
      const first = (yield* admin("create", "ada", "--json")).json()
      const second = (yield* admin("create", "ada", "--json")).json()
      const both = yield* admin("revoke", "ada")
      assert.strictEqual(both.exitCode, 2)
      assert.include(both.stderr, "Several keys bear the name ada")
      assert.strictEqual((yield* admin("revoke", first.id)).exitCode, 0)
      assert.strictEqual((yield* withKey(first.token, "list")).exitCode, 3)
      assert.strictEqual((yield* withKey(second.token, "list")).exitCode, 0)
      assert.deepStrictEqual((yield* admin("revoke", "ada", "--json")).json(), {
        id: second.id,
        revoked: true
      })
      assert.strictEqual((yield* withKey(second.token, "list")).exitCode, 3)
      const gone = yield* admin("revoke", "ada")
      assert.strictEqual(gone.exitCode, 4)
      assert.match((yield* admin("list")).stdout, /ada +revoked 20/)
    }).pipe(Effect.provide(world()))
  )
})
