import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { effective } from "../../src/identity/revocations/Application.ts"
import type { Revocation } from "../../src/storage/revocations/Revocation.ts"
import * as Process from "../support/Process.ts"
import { copyOf, databaseOf, restore } from "../support/Restore.ts"
import { tamper } from "../support/Tamper.ts"
import { type RequestOptions, send, temporaryDirectory, World, worldIn } from "../support/World.ts"

const fileOf = (directory: string): string => join(directory, "revocations.jsonl")

/** Takes back what came with a migration and those after it: tables, and columns and indexes of tables before. */
const undoing = (first: number): string => {
  const directory = new URL("../../src/storage/migrations", import.meta.url)
  const source = readdirSync(directory)
    .filter((name) => Number.parseInt(name, 10) >= first)
    .map((name) => readFileSync(new URL(`migrations/${name}`, directory), "utf8"))
    .join("\n")
  const all = (made: RegExp, undo: (...names: ReadonlyArray<string>) => string) =>
    [...source.matchAll(made)].map(([, ...names]) => undo(...names))
  const renamed = [...source.matchAll(/ALTER TABLE (\w+) RENAME TO/g)].map(([, table]) => table)
  return [
    ...all(/CREATE (?:UNIQUE )?INDEX (\w+)/g, (index) => `DROP INDEX ${index}`),
    ...all(/CREATE TABLE (\w+)/g, (table) => (renamed.includes(table) ? "" : `DROP TABLE ${table}`)),
    ...all(
      /ALTER TABLE (\w+) ADD COLUMN (\w+)/g,
      (table, column) => `ALTER TABLE ${table} DROP COLUMN ${column}`
    )
  ].join("; ")
}

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request(method, path, { as: "admin", ...options }))

const running = <A, E, R>(directory: string, work: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.provide(work, worldIn(directory)))

const inWorkspace = (path: string) => `/api/identity/workspaces/default/${path}`

const password = "correct horse battery"
const login = (given: string) => ask("POST", "/api/auth/login", { as: null, body: { password: given } })
const cookieOf = (token: string) => ({
  cookie: `service_session=${token}`,
  referer: "http://localhost/board"
})

/** What a secret opens: the status of a read with it. */
const statusWith = (headers: Record<string, string>) =>
  Effect.map(ask("GET", "/api/tasks", { as: null, headers }), ({ status }) => status)

const token = (membershipId?: string) =>
  Effect.map(
    ask("POST", "/api/auth/tokens", {
      body: { name: "ci", role: "agent", ...(membershipId === undefined ? {} : { membershipId }) }
    }),
    ({ body }) => body
  )

const pairing = Effect.map(
  ask("POST", inWorkspace("device-pairing-codes"), {
    body: {
      deviceName: "Phone",
      clientMode: "mobile",
      capabilities: [],
      scopes: ["task:read"],
      role: "agent"
    }
  }),
  ({ body }) => {
    const { code, ...payload } = JSON.parse(
      Buffer.from(new URL(body.link).hash.slice(1), "base64url").toString()
    )
    return { code, payload }
  }
)

const exchange = (body: unknown) => ask("POST", "/api/auth/device-pairing/exchange", { as: null, body })

const invite = (email: string) =>
  Effect.map(ask("POST", inWorkspace("invitations"), { body: { email, role: "admin" } }), ({ body }) => body)

const accept = (email: string, invitation: string) =>
  ask("POST", "/api/auth/invitations/accept", {
    as: null,
    body: { token: invitation, email, displayName: email }
  })

/** Everything that opens the door of a board. */
const credentials = Effect.gen(function* () {
  yield* ask("POST", "/api/auth/setup", { body: { password } })
  const joined = (email: string) =>
    Effect.gen(function* () {
      const invitation = yield* invite(email)
      const { body } = yield* accept(email, invitation.token)
      return body.membership
    })
  const [removed, lowered, raised] = [
    yield* joined("removed@example.com"),
    yield* joined("lowered@example.com"),
    yield* joined("raised@example.com")
  ]
  const device = (yield* exchange(yield* pairing)).body
  const session = (yield* login(password)).body
  const late = (yield* login(password)).body
  return {
    token: yield* token(),
    spared: yield* token(),
    removed,
    lowered,
    raised,
    tokenOfRemoved: yield* token(removed.id),
    device,
    code: yield* pairing,
    invitation: yield* invite("uninvited@example.com"),
    open: yield* invite("invited@example.com"),
    session: String(session.token),
    late: String(late.token)
  }
})

type Credentials = Effect.Effect.Success<typeof credentials>

/** Takes all of it back, but what was spared. */
const revokeAll = (made: Credentials) =>
  Effect.gen(function* () {
    const role = (id: string, role: string) => ask("PATCH", inWorkspace(`members/${id}`), { body: { role } })
    const answers = [
      yield* ask("DELETE", `/api/auth/tokens/${made.token.id}`),
      yield* ask("POST", inWorkspace(`device-sessions/${made.device.deviceSessionId}/revoke`)),
      yield* ask("DELETE", inWorkspace(`members/${made.removed.id}`)),
      yield* role(made.lowered.id, "read-only"),
      yield* role(made.raised.id, "read-only"),
      yield* role(made.raised.id, "admin"),
      yield* ask("POST", `/api/identity/invitations/${made.invitation.id}/revoke`),
      yield* exchange(made.code),
      yield* ask("POST", "/api/auth/logout", { as: null, headers: cookieOf(made.session) }),
      yield* ask("POST", "/api/auth/change-password", {
        as: null,
        headers: cookieOf(made.late),
        body: { currentPassword: password, newPassword: "staple battery horse" }
      })
    ]
    for (const [index, { body, status }] of answers.entries()) {
      assert.isBelow(status, 300, `${index}: ${JSON.stringify(body)}`)
    }
  })

/** What is left of it. */
const opened = (made: Credentials) =>
  Effect.gen(function* () {
    const members: ReadonlyArray<{ readonly id: string; readonly role: string }> = (yield* ask(
      "GET",
      inWorkspace("members")
    )).body
    const roleOf = ({ id }: { readonly id: string }) => members.find((member) => member.id === id)?.role
    return {
      token: yield* statusWith({ "x-api-key": made.token.token }),
      spared: yield* statusWith({ "x-api-key": made.spared.token }),
      device: yield* statusWith({ authorization: `Bearer ${made.device.token}` }),
      tokenOfRemoved: yield* statusWith({ "x-api-key": made.tokenOfRemoved.token }),
      removed: roleOf(made.removed),
      lowered: roleOf(made.lowered),
      raised: roleOf(made.raised),
      code: (yield* exchange(made.code)).status,
      invitation: (yield* accept("uninvited@example.com", made.invitation.token)).status,
      session: yield* statusWith(cookieOf(made.session)),
      late: yield* statusWith(cookieOf(made.late)),
      oldPassword: (yield* login(password)).status,
      newPassword: (yield* login("staple battery horse")).status
    }
  })

const closed = {
  token: 401,
  spared: 200,
  device: 401,
  tokenOfRemoved: 401,
  removed: undefined,
  lowered: "read-only",
  raised: "admin",
  code: 401,
  invitation: 409,
  session: 401,
  late: 200,
  oldPassword: 401,
  newPassword: 200
}

/** A board whose credentials were revoked after a copy of it was taken. */
const revokedBoard = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const made = yield* running(directory, credentials)
  const copy = yield* copyOf(directory)
  yield* running(directory, revokeAll(made))
  return { directory, made, copy }
})

describe("what was revoked after a copy of the board", () => {
  it.scopedLive("opens nothing when the copy is brought back, the second time neither", () =>
    Effect.gen(function* () {
      const { copy, directory, made } = yield* revokedBoard
      assert.deepStrictEqual(yield* running(directory, opened(made)), closed)
      for (const time of ["first", "second"]) {
        yield* restore(copy, directory)
        assert.deepStrictEqual(yield* running(directory, opened(made)), closed, time)
      }
      const { body } = yield* running(directory, ask("GET", "/api/audit?limit=1000"))
      const kept = body.filter(({ action }: { readonly action: string }) => action === "revocations.kept")
      assert.lengthOf(kept, 1)
      const verified = yield* running(directory, ask("GET", "/api/audit/verify"))
      assert.deepInclude(verified.body, { valid: true })
    })
  )

  it.scopedLive("opens nothing when the board was destroyed, or a copy of it came in by hand", () =>
    Effect.gen(function* () {
      const { copy, directory, made } = yield* revokedBoard
      writeFileSync(databaseOf(directory), "destroyed")
      yield* restore(copy, directory)
      assert.deepStrictEqual(yield* running(directory, opened(made)), closed)
      writeFileSync(databaseOf(directory), readFileSync(copy))
      assert.deepStrictEqual(yield* running(directory, opened(made)), closed)
    })
  )

  it.scopedLive("opens nothing when the file beside the database was lost before", () =>
    Effect.gen(function* () {
      const { copy, directory, made } = yield* revokedBoard
      rmSync(fileOf(directory))
      yield* restore(copy, directory)
      assert.deepStrictEqual(yield* running(directory, opened(made)), closed)
    })
  )

  it.scopedLive("by an earlier version, which kept no file, opens nothing", () =>
    Effect.gen(function* () {
      const { copy, directory, made } = yield* revokedBoard
      rmSync(fileOf(directory))
      // The schema of before: the tables of its later migrations are not there.
      yield* tamper(directory, `${undoing(24)}; DELETE FROM migrations WHERE migration_id >= 24`)
      yield* running(directory, Effect.void)
      yield* restore(copy, directory)
      const { late: _, session: __, code: ___, ...found } = yield* running(directory, opened(made))
      const { late: ____, session: _____, code: ______, ...expected } = closed
      assert.deepStrictEqual(found, expected)
    })
  )
})

describe("the file of revocations", () => {
  it.scopedLive("has a revocation when it is acknowledged, for its owner alone, and no secret", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        const made = yield* token()
        assert.isFalse(existsSync(fileOf(directory)), "nothing was revoked yet")
        yield* ask("DELETE", `/api/auth/tokens/${made.id}`)
        const lines = readFileSync(fileOf(directory), "utf8").split("\n")
        assert.lengthOf(lines, 2)
        assert.deepInclude(JSON.parse(lines[0] ?? ""), { kind: "api-token", subject: made.id, value: null })
        assert.strictEqual(statSync(fileOf(directory)).mode & 0o777, 0o600)
        assert.notInclude(lines.join(), made.token)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("has it after kill -9, whatever becomes of the database", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const made = yield* running(directory, token())
      const copy = yield* copyOf(directory)
      const server = yield* Process.start(directory)
      const path = `/api/auth/tokens/${made.id}`
      assert.strictEqual((yield* send(server.baseUrl, "DELETE", path, { as: "admin" })).status, 204)
      yield* server.end("SIGKILL")
      for (const journal of ["", "-wal", "-shm"]) {
        rmSync(`${databaseOf(directory)}${journal}`, { force: true })
      }
      yield* restore(copy, directory)
      assert.strictEqual(yield* running(directory, statusWith({ "x-api-key": made.token })), 401)
    })
  )

  it.scopedLive("that ends in half a line is mended, and goes on", () =>
    Effect.gen(function* () {
      const { copy, directory, made } = yield* revokedBoard
      appendFileSync(fileOf(directory), '{"id":"api-token:to')
      yield* running(directory, ask("DELETE", `/api/auth/tokens/${made.spared.id}`))
      for (const line of readFileSync(fileOf(directory), "utf8").trimEnd().split("\n")) JSON.parse(line)
      yield* restore(copy, directory)
      assert.deepStrictEqual(yield* running(directory, opened(made)), { ...closed, spared: 401 })
    })
  )

  it.scopedLive("that is damaged ends a start and a restore with its name, the line and the remedy", () =>
    Effect.gen(function* () {
      const { copy, directory } = yield* revokedBoard
      appendFileSync(fileOf(directory), "muster_token_sEcReT\n")
      const lines = readFileSync(fileOf(directory), "utf8").trimEnd().split("\n").length
      const { code, output } = yield* Process.run({ ...Process.testKeys, SERVICE_DATA_DIR: directory })
      assert.strictEqual(code, 1)
      assert.match(output, /^muster: The revocations in /m)
      assert.include(output, fileOf(directory))
      assert.include(output, `line ${lines} is damaged`)
      assert.notInclude(output, "sEcReT")
      assert.notInclude(output, "    at ")
      assert.strictEqual((yield* Effect.flip(restore(copy, directory)))._tag, "RevocationsUnreadable")
    })
  )

  it.scopedLive("that can't be written keeps nobody from revoking, and is caught up with", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const made = yield* Effect.gen(function* () {
        const made = yield* token()
        yield* Effect.sync(() => mkdirSync(fileOf(directory)))
        assert.strictEqual((yield* ask("DELETE", `/api/auth/tokens/${made.id}`)).status, 204)
        assert.strictEqual(yield* statusWith({ "x-api-key": made.token }), 401)
        return made
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      rmSync(fileOf(directory), { recursive: true })
      yield* running(directory, Effect.void)
      assert.include(readFileSync(fileOf(directory), "utf8"), made.id)
    })
  )
})

describe("the roles of a member", () => {
  const role = (id: string, subject: string, value: string): Revocation => ({
    id,
    kind: "member-role",
    subject,
    at: 0,
    value
  })

  it("count as the last one, for each member", () => {
    const all = [
      role("1", "ann", "read-only"),
      role("2", "bob", "agent"),
      role("3", "ann", "admin"),
      { ...role("4", "ann", ""), kind: "member" as const }
    ]
    assert.deepStrictEqual(
      effective(all).map(({ id }) => id),
      ["2", "3", "4"]
    )
  })
})
