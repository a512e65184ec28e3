import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { at, connect, sampleProfile, saveProfile } from "../integrations/trackers/Trackers.ts"
import { createTask, getTask } from "../support/Board.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { deserted } from "../support/Stub.ts"
import { World, world } from "../support/World.ts"

const admin = (...args: ReadonlyArray<string>) => cliAs("admin", ...args)

describe("trackers", () => {
  it.scopedLive("goes from nothing to an item at the tracker", () =>
    Effect.gen(function* () {
      const nothing = yield* cli("trackers", "status")
      assert.strictEqual(nothing.exitCode, 0)
      assert.include(nothing.stdout, "No connection to a tracker")
      assert.include(nothing.stdout, "Schema: none yet")
      const read = yield* admin("trackers", "introspect", "local", "demo")
      assert.match(read.stdout, /^Schema: local demo of \S+: 3 types, 7 fields, 5 paths, 3 tags$/)
      assert.strictEqual((yield* cli("trackers", "profiles")).stdout, "No profiles.")
      yield* saveProfile(sampleProfile)
      assert.match((yield* cli("trackers", "profiles")).stdout, /\nsample +local +on +Task +Sample$/)

      const { id } = yield* createTask({ title: "Sail", labels: ["sea"] })
      const command = ["trackers", "create", id, "--profile", "sample"]
      const dry = yield* cli(...command, "--dry-run")
      assert.match(dry.stdout, /^Would make Task at local demo\n {2}title: Sail\n/)
      assert.strictEqual((yield* cli(...command, "--dry-run", "--json")).json().externalWrite, false)
      assert.deepStrictEqual((yield* getTask(id)).externalWorkItems, [])

      const unapproved = yield* admin(...command)
      assert.strictEqual(unapproved.exitCode, 2)
      assert.include(unapproved.stderr, "--approved-by")
      assert.strictEqual((yield* cli(...command, "--approved-by", "Ann")).exitCode, 3)
      const made = yield* admin(...command, "--approved-by", "Ann")
      assert.strictEqual(made.stdout, `Created demo#1 for ${id} local://local/demo/1`)
      const again = yield* admin(...command, "--approved-by", "Ann", "--json")
      assert.strictEqual(again.exitCode, 5)
      assert.deepInclude(again.json().details, { key: "demo#1" })
      const { connection, schema } = (yield* cli("trackers", "status", "--json")).json()
      assert.isFalse(connection.configured)
      assert.strictEqual(schema.project, "demo")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows the connection, and says when to try again", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const baseUrl = yield* deserted
      yield* connect({ provider: "github", baseUrl, project: "acme/board" })
      const { stdout } = yield* cli("trackers", "status")
      assert.include(stdout, `Connection: github acme/board at ${baseUrl}, without a credential, on`)
      const refused = yield* admin("trackers", "introspect", "github", "acme/board")
      assert.strictEqual(refused.exitCode, 5)
      assert.include(refused.stderr, "it can't be reached")
      assert.include(refused.stderr, "Try again in a little while.")
      assert.strictEqual((yield* request("GET", `${at}/schema`)).status, 404)
    }).pipe(Effect.provide(world()))
  )
})
