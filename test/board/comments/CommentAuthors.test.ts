import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { keys, World, world } from "../../support/World.ts"

const shared = sharedWorld()

type Headers = Record<string, string>

const withKey = (key: string): Headers => ({ "x-api-key": key })

const workspace = "/api/identity/workspaces/default"

/** A member who goes by a name. */
const member = (email: string, displayName: string) =>
  Effect.gen(function* () {
    const { token } = yield* ask("POST", `${workspace}/invitations`, {
      as: "admin",
      body: { email, role: "agent" }
    })
    const { membership } = yield* ask("POST", "/api/auth/invitations/accept", {
      as: null,
      body: { token, displayName, email }
    })
    return String(membership.id)
  })

/** A device of a member. */
const device = (membershipId: string) =>
  Effect.gen(function* () {
    const { link } = yield* ask("POST", `${workspace}/device-pairing-codes`, {
      as: "admin",
      body: { deviceName: "Phone", clientMode: "mobile", role: "agent", membershipId }
    })
    const { token } = yield* ask("POST", "/api/auth/device-pairing/exchange", {
      as: null,
      body: { payload: link }
    })
    return { authorization: `Bearer ${token}` }
  })

const token = (name: string, more: object = {}) =>
  Effect.map(
    ask("POST", "/api/auth/tokens", { as: "admin", body: { name, role: "agent", ...more } }),
    (made) => withKey(made.token)
  )

/** Comments as somebody, and gives where the comment is. */
const commentAs = (headers: Headers, taskId: string) =>
  Effect.map(
    ask("POST", `/api/tasks/${taskId}/comments`, { as: null, headers, body: { text: "Mine" } }),
    ({ comments }) => `/api/tasks/${taskId}/comments/${comments.at(-1).id}`
  )

const sendAs = (headers: Headers, method: string, path: string, body?: object) =>
  Effect.flatMap(World, ({ request }) => request(method, path, { as: null, headers, body }))

/** Whether somebody may change a comment: then both ways, and else neither. */
const mayChange = (headers: Headers, path: string) =>
  Effect.gen(function* () {
    const edited = yield* sendAs(headers, "PATCH", path, { text: "Changed" })
    if (edited.status === 200) return true
    const removed = yield* sendAs(headers, "DELETE", path)
    for (const refused of [edited, removed]) {
      assert.strictEqual(refused.status, 403)
      assert.hasAllKeys(refused.body, ["error", "code", "details"])
      assert.strictEqual(refused.body.code, "PERMISSION_DENIED")
    }
    return false
  })

describe("somebody else's comment", () => {
  it.scopedLive("is neither edited nor deleted, but by an administrator", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      const path = yield* commentAs(withKey(keys.agent), id)
      const other = withKey("other-key")
      assert.isFalse(yield* mayChange(other, path))
      const [kept] = (yield* getTask(id)).comments
      assert.deepInclude(kept, { text: "Mine", createdBy: "codex", updatedBy: "codex", revision: 1 })
      assert.isTrue(yield* mayChange(withKey(keys.agent), path))
      assert.isTrue(yield* mayChange(withKey(keys.admin), path))
      assert.isFalse(yield* mayChange(other, path), "an administrator's edit makes nobody else its author")
      assert.strictEqual((yield* sendAs(withKey(keys.admin), "DELETE", path)).status, 204)
      assert.strictEqual((yield* sendAs(other, "DELETE", path)).status, 404)
    }).pipe(
      Effect.provide(
        world({
          auth: {
            apiKeys: [
              { name: "codex", key: Redacted.make(keys.agent), role: "agent" },
              { name: "claude", key: Redacted.make("other-key"), role: "agent" }
            ]
          }
        })
      )
    )
  )

  it.scopedLive("does not become one's own by taking its author's name", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      const [ann, eve] = [yield* member("ann@example.com", "Ann"), yield* member("eve@example.com", "Ann")]
      const codex = yield* member("codex@example.com", "codex")
      const [phone, desktop, evil] = [yield* device(ann), yield* device(ann), yield* device(eve)]
      const ofAnn = yield* commentAs(phone, id)
      const ofKey = yield* commentAs(withKey(keys.agent), id)
      const named = (yield* getTask(id)).comments.map(({ author }: { readonly author: string }) => author)
      assert.deepStrictEqual(named, ["Ann", "codex"])
      assert.isFalse(yield* mayChange(evil, ofAnn), "another person of the same name")
      assert.isFalse(yield* mayChange(yield* token("Ann"), ofAnn), "a token of the same name")
      assert.isFalse(yield* mayChange(yield* device(codex), ofKey), "a person with the name of a key")
      assert.isFalse(yield* mayChange(yield* token("codex"), ofKey), "a token with the name of a key")
      assert.isTrue(yield* mayChange(desktop, ofAnn), "the same person at another device")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("stays so between two tokens of one person, and follows a token that is replaced", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      const [ci, bot] = [yield* token("CI"), yield* token("bot")]
      const path = yield* commentAs(ci, id)
      assert.isFalse(yield* mayChange(bot, path))
      assert.isTrue(yield* mayChange(yield* token("CI"), path))
      const scoped = yield* token("boss", { role: "admin", scopes: ["comment:write"] })
      assert.isFalse(yield* mayChange(scoped, path), "an admin's token without admin:manage")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("from before authors were kept is that of the key of its name", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      const codex = yield* member("codex@example.com", "codex")
      const path = yield* commentAs(withKey(keys.agent), id)
      const storage = yield* Storage
      yield* storage.write(run(sql`DELETE FROM comment_authors`))
      assert.isFalse(yield* mayChange(yield* device(codex), path))
      assert.isTrue(yield* mayChange(withKey(keys.agent), path))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves nothing behind when it or its task is gone", () =>
    Effect.gen(function* () {
      const { select } = yield* Storage
      const [one, other] = [yield* createTask(), yield* createTask()]
      const path = yield* commentAs(withKey(keys.agent), one.id)
      yield* commentAs(withKey(keys.agent), other.id)
      yield* sendAs(withKey(keys.agent), "DELETE", path)
      yield* sendAs(withKey(keys.admin), "DELETE", `/api/tasks/${other.id}`)
      assert.deepStrictEqual(yield* select((sql) => sql`SELECT * FROM comment_authors`), [])
    }).pipe(Effect.provide(world()))
  )
})
