import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as SecretRepo from "../../../src/conversations/teamchat/SecretRepo.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { World, world } from "../../support/World.ts"
import { getTeam, putTeam, refusedTeam } from "./Teams.ts"

const url = "https://chat.example.com/hooks/T1?sig=hunter2hunter2"
const credential = Redacted.make("hunter3-hunter3")

describe("a team chat", () => {
  it.scopedLive("is shown with all of its fields, but for its secrets", () =>
    Effect.gen(function* () {
      const fields = {
        displayName: "Release room",
        deliveryMode: "webhook",
        destinationType: "channel",
        tenantId: "tenant-1",
        teamId: "team-1",
        channelId: "channel-1"
      } as const
      const adapter = yield* putTeam({ ...fields, webhookUrl: url, credential })
      assert.deepInclude(adapter, {
        ...fields,
        id: "team",
        kind: "teamchat",
        enabled: true,
        allowLocalhost: true,
        allowPrivateNetwork: false,
        webhookUrlConfigured: true,
        webhookUrlRedacted: "https://chat.example.com/hooks/T1",
        hasCredential: true
      })
      assert.deepStrictEqual(yield* getTeam(), adapter)
      assert.notMatch(JSON.stringify(adapter), /hunter|credential"/)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has no secret in the clear in any file of the database", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const { copyTo } = yield* Storage
      yield* putTeam({ webhookUrl: url, credential })
      yield* copyTo(join(directory, "copy.db"))
      for (const file of ["muster.db", "muster.db-wal", "copy.db"]) {
        const bytes = readFileSync(join(directory, file))
        assert.isFalse(bytes.includes("hunter"), file)
      }
      const { key } = JSON.parse(readFileSync(join(directory, "vault-key.json"), "utf8"))
      assert.isFalse(readFileSync(join(directory, "copy.db")).includes(key))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps what a PUT does not name, and loses what it names as null", () =>
    Effect.gen(function* () {
      const first = yield* putTeam({ webhookUrl: url, credential, channelId: "channel-1" })
      const renamed = yield* putTeam({ displayName: "Another name" })
      assert.deepStrictEqual(
        { ...renamed, updatedAt: "" },
        { ...first, displayName: "Another name", updatedAt: "" }
      )
      const cleared = yield* putTeam({ webhookUrl: null, credential: null, channelId: null })
      assert.deepInclude(cleared, {
        webhookUrlConfigured: false,
        webhookUrlRedacted: null,
        hasCredential: false,
        channelId: null
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows no part of a path that looks like a secret", () =>
    Effect.gen(function* () {
      const webhookUrl = "https://hooks.example.com/services/T024BE7LD/aB3dE6gH9jK2mN5pQ8sT1vW4"
      const { webhookUrlRedacted } = yield* putTeam({ webhookUrl })
      assert.strictEqual(webhookUrlRedacted, "https://hooks.example.com/services/T024BE7LD/***")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused with the field that is wrong", () =>
    Effect.gen(function* () {
      const refused: ReadonlyArray<string> = [
        "not a url",
        "chat.example.com/hook",
        "ftp://chat.example.com/hook",
        "https://user:pass@chat.example.com/hook",
        "https://chat.example.com/hook#part",
        "http://chat.example.com/hook",
        "http://127.0.0.1/hook",
        "https://127.0.0.1/hook",
        "https://localhost/hook",
        "https://10.0.0.1/hook",
        "https://192.168.1.1/hook",
        "https://169.254.169.254/latest",
        "https://100.64.0.1/hook",
        "https://[::1]/hook",
        "https://[::ffff:127.0.0.1]/hook",
        "https://[fe80::1]/hook",
        "https://2130706433/hook"
      ]
      for (const webhookUrl of refused) {
        assert.deepStrictEqual(yield* refusedTeam({ webhookUrl }), ["webhookUrl"], webhookUrl)
      }
      for (const text of ["two words", "line\nbreak", "env:lower", "env:", "schlüssel"]) {
        const issues = yield* refusedTeam({ credential: Redacted.make(text) })
        assert.deepStrictEqual(issues, ["credential"], text)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("may go to this machine or a private network only with the flag for it", () =>
    Effect.gen(function* () {
      const local = { webhookUrl: "http://127.0.0.1:9/hook" }
      const inside = { webhookUrl: "http://10.0.0.1/hook" }
      yield* putTeam({ ...local, allowLocalhost: true })
      yield* putTeam({ ...inside, allowLocalhost: false, allowPrivateNetwork: true })
      const wrong = [
        { ...local, allowPrivateNetwork: true },
        { ...inside, allowLocalhost: true },
        { webhookUrl: "https://100.64.0.1/", allowLocalhost: true, allowPrivateNetwork: true }
      ]
      for (const body of wrong) assert.deepStrictEqual(yield* refusedTeam(body, "other"), ["webhookUrl"])
      // The flag that a stored webhook needs can't be taken from under it.
      assert.deepStrictEqual(yield* refusedTeam({ allowPrivateNetwork: false }), ["webhookUrl"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("drops a sealed credential that would go to another host", () =>
    Effect.gen(function* () {
      const elsewhere = { webhookUrl: "https://evil.example.com/hook" }
      yield* putTeam({ webhookUrl: url, credential })
      yield* putTeam({ webhookUrl: "https://chat.example.com/hooks/T2" })
      assert.isTrue((yield* getTeam()).hasCredential)
      assert.isFalse((yield* putTeam(elsewhere)).hasCredential)
      yield* putTeam({ webhookUrl: url, credential })
      assert.isFalse((yield* putTeam({ webhookUrl: null })).hasCredential)
      assert.isFalse((yield* putTeam(elsewhere)).hasCredential)
      yield* putTeam({ ...elsewhere, credential: Redacted.make("another") })
      assert.isTrue((yield* getTeam()).hasCredential)
      const { read } = yield* Storage
      yield* putTeam({ webhookUrl: url })
      assert.isNull((yield* read(SecretRepo.find("team"))).credential)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs the name of a credential again with an address at another host", () =>
    Effect.gen(function* () {
      const named = { credential: Redacted.make("env:CHAT_TOKEN") }
      const elsewhere = { webhookUrl: "https://chat.example.org/hook" }
      yield* putTeam({ webhookUrl: url, ...named })
      assert.deepStrictEqual(yield* refusedTeam(elsewhere), ["credential"])
      assert.deepStrictEqual(yield* refusedTeam({ webhookUrl: null }), ["credential"])
      assert.isTrue((yield* putTeam({ ...elsewhere, ...named })).hasCredential)
      assert.isFalse((yield* putTeam({ webhookUrl: url, credential: null })).hasCredential)
    }).pipe(Effect.provide(world()))
  )
})
