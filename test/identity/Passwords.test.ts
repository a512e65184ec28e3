import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { auditTrail } from "../support/Audit.ts"
import { rawSender } from "../support/RawHttp.ts"
import { keys, type RequestOptions, temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const password = "correct horse battery"

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request(method, path, { as: null, ...options }))

/** The code that this start of the board wrote for its operator. */
const setupCode = Effect.map(World, ({ directory }) =>
  readFileSync(join(directory, "setup-code"), "utf8").trim()
)

/** Sets the password as the operator does who has read the code. */
const setUp = (body: object = {}) =>
  Effect.flatMap(setupCode, (code) =>
    ask("POST", "/api/auth/setup", { body: { password, setupCode: code, ...body } })
  )

const setup = Effect.map(setUp(), ({ body }) => body)

const login = (given = password) => ask("POST", "/api/auth/login", { body: { password: given } })

const cookieOf = (token: string) => ({ cookie: `theme=dark; service_session=${token}` })

/** The session of a fresh login, as a browser sends it. */
const session = Effect.map(login(), ({ body }) => cookieOf(String(body.token)))

const actions = Effect.flatMap(World, ({ directory }) =>
  Effect.sync(() =>
    readdirSync(directory)
      .filter((file) => statSync(join(directory, file)).isFile())
      .map((file) => readFileSync(join(directory, file), "latin1"))
      .join("\n")
  )
)

describe("the setup", () => {
  it.scopedLive("happens once, shows the recovery key once, and is told by the status", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* ask("GET", "/api/auth/status")).body.setupRequired)
      const first = yield* setUp({ displayName: "Olga", email: "olga@example.com" })
      assert.strictEqual(first.status, 201)
      assert.match(first.body.recoveryKey, /^muster_recovery_/)
      assert.isFalse((yield* ask("GET", "/api/auth/status")).body.setupRequired)
      const second = yield* ask("POST", "/api/auth/setup", { body: { password: "something else" } })
      assert.strictEqual(second.status, 409)
      assert.strictEqual((yield* login("something else")).status, 401)
      const members = yield* ask("GET", "/api/identity/workspaces/default/members", { as: "admin" })
      assert.deepInclude(members.body[0], { displayName: "Olga", email: "olga@example.com", role: "admin" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses an email that somebody else has, and changes nothing", () =>
    Effect.gen(function* () {
      const invitations = "/api/identity/workspaces/default/invitations"
      const { body } = yield* ask("POST", invitations, {
        as: "admin",
        body: { email: "ann@example.com", role: "agent" }
      })
      const ann = { token: body.token, displayName: "Ann", email: "ann@example.com" }
      assert.strictEqual((yield* ask("POST", "/api/auth/invitations/accept", { body: ann })).status, 201)
      assert.strictEqual((yield* setUp({ email: "ANN@example.com" })).status, 409)
      assert.isTrue((yield* ask("GET", "/api/auth/status")).body.setupRequired)
      assert.strictEqual((yield* setUp({ email: "olga@example.com" })).status, 201)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is won by one of two at once", () =>
    Effect.gen(function* () {
      const both = yield* Effect.all(
        [password, "another password"].map((given) => setUp({ password: given })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [201, 409])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("wants ten characters, and comes from this machine", () =>
    Effect.gen(function* () {
      const short = yield* setUp({ password: "too short" })
      assert.strictEqual(short.status, 400)
      assert.strictEqual(short.body.details.issues[0].path, "password")
      assert.notInclude(JSON.stringify(short.body), "too short")
      const { baseUrl } = yield* World
      const send = yield* rawSender(baseUrl)
      const bodies = {
        setup: { password, setupCode: yield* setupCode },
        login: { password },
        recover: { recoveryKey: "muster_recovery_x", newPassword: password }
      }
      const elsewhere: ReadonlyArray<Record<string, string>> = [
        { host: "localhost", "x-forwarded-for": "127.0.0.1" },
        { host: "localhost", "true-client-ip": "127.0.0.1" },
        { host: "10.0.0.7:3001" },
        { host: "0.0.0.0" },
        { host: "board.example" }
      ]
      for (const [path, body] of Object.entries(bodies)) {
        for (const from of elsewhere) {
          const headers = { "content-type": "application/json", "x-api-key": keys.admin, ...from }
          const sent = { method: "POST", path: `/api/auth/${path}`, headers, body: JSON.stringify(body) }
          assert.strictEqual((yield* send(sent)).status, 403, JSON.stringify([path, from]))
        }
      }
    }).pipe(Effect.provide(world({ access: { allowedHosts: ["board.example"], allowedOrigins: [] } })))
  )
})

describe("the proof of a setup", () => {
  const status = (body: object, options: RequestOptions = {}) =>
    Effect.map(
      ask("POST", "/api/auth/setup", { body: { password, ...body }, ...options }),
      (answer) => answer.status
    )

  it.scopedLive("is missing to every process of the machine that has no more than a key of its own", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const bare = yield* ask("POST", "/api/auth/setup", { body: { password } })
      assert.strictEqual(bare.status, 401)
      assert.deepInclude(bare.body, { code: "UNAUTHORIZED" })
      assert.include(bare.body.error, join(directory, "setup-code"))
      assert.notInclude(JSON.stringify(bare.body), yield* setupCode)
      for (const as of ["agent", "read-only"] as const) assert.strictEqual(yield* status({}, { as }), 401)
      const token = yield* ask("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "CI", role: "admin" }
      })
      assert.strictEqual(yield* status({}, { headers: { "x-api-key": token.body.token } }), 401)
      assert.strictEqual(yield* status({}, { headers: { "x-api-key": "no key" } }), 401)
      assert.isTrue((yield* ask("GET", "/api/auth/status")).body.setupRequired)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is not given by the bypass, nor by authentication that is off", () =>
    Effect.gen(function* () {
      for (const auth of [{ localhostBypass: true, localhostRole: "admin" as const }, { enabled: false }]) {
        assert.strictEqual(yield* Effect.provide(status({}), world({ auth })), 401)
        assert.strictEqual(
          yield* Effect.provide(
            Effect.map(setUp(), (it) => it.status),
            world({ auth })
          ),
          201
        )
      }
    })
  )

  it.scopedLive("is the admin key, without a code", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* status({}, { as: "admin" }), 201)
      const { directory } = yield* World
      assert.isFalse(existsSync(join(directory, "setup-code")))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is a code that only the operator can read, which counts once and is gone then", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "setup-code")
      const code = yield* Effect.gen(function* () {
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        const code = yield* setupCode
        assert.strictEqual((yield* setUp({ password: "too short" })).status, 400)
        assert.strictEqual((yield* setUp({ setupCode: ` ${code}\n` })).status, 201)
        assert.isFalse(existsSync(file))
        assert.strictEqual(yield* status({ setupCode: code }), 409)
        return code
      }).pipe(Effect.provide(worldIn(directory)))
      // As if the server had ended before it removed the file.
      writeFileSync(file, code)
      yield* Effect.gen(function* () {
        assert.isFalse(existsSync(file))
        assert.strictEqual(yield* status({ setupCode: code }), 409)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("is made anew by each start, and never what somebody laid in its place", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "setup-code")
      const known = "muster_setup_known-to-somebody-else"
      const begin = Effect.provide(setupCode, worldIn(directory))
      const first = yield* begin
      assert.notStrictEqual(yield* begin, first)
      chmodSync(file, 0o644)
      writeFileSync(file, known)
      assert.notStrictEqual(yield* begin, known)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const target = join(directory, "elsewhere")
      writeFileSync(target, known)
      unlinkSync(file)
      symlinkSync(target, file)
      yield* Effect.gen(function* () {
        assert.isFalse(lstatSync(file).isSymbolicLink())
        assert.strictEqual(readFileSync(target, "utf8"), known)
        assert.strictEqual(yield* status({ setupCode: known }), 401)
        assert.strictEqual((yield* setUp()).status, 201)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("can be guessed five times a minute, which is audited, and the admin key goes on", () =>
    Effect.gen(function* () {
      const code = yield* setupCode
      for (const guess of ["x", code.slice(0, -1), `${code}x`, code.toUpperCase(), "muster_setup_"]) {
        const answer = yield* ask("POST", "/api/auth/setup", { body: { password, setupCode: guess } })
        assert.strictEqual(answer.status, 401)
        assert.notInclude(JSON.stringify(answer.body), code)
      }
      const slowed = yield* setUp()
      assert.strictEqual(slowed.status, 429)
      assert.isNotNull(slowed.headers.get("retry-after"))
      const failures = (yield* auditTrail).filter(({ action }) => action === "auth.setup.failed")
      assert.lengthOf(failures, 5)
      assert.strictEqual(yield* status({}, { as: "admin" }), 201)
    }).pipe(Effect.provide(world()))
  )
})

describe("a login", () => {
  it.scopedLive("gives a session for twelve hours, as token and cookie, which acts as admin", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* login()).status, 409)
      yield* setup
      const answer = yield* login()
      assert.deepInclude(answer.body, { role: "admin", expiresIn: 43_200 })
      const cookie = answer.headers.get("set-cookie") ?? ""
      for (const part of [`service_session=${answer.body.token}`, "HttpOnly", "SameSite=Strict", "Path=/"]) {
        assert.include(cookie, part)
      }
      const status = yield* ask("GET", "/api/auth/status", { headers: cookieOf(answer.body.token) })
      assert.deepInclude(status.body, {
        authenticated: true,
        role: "admin",
        method: "password-session",
        capabilities: ["local-agent:run"]
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("counts for pages of this machine alone: a foreign page, name or proxy is a 401 or 403", () =>
    Effect.gen(function* () {
      yield* setup
      const headers = yield* session
      const read = (more: Record<string, string> = {}) =>
        Effect.map(ask("GET", "/api/tasks", { headers: { ...headers, ...more } }), ({ status }) => status)
      const write = (more: Record<string, string> = {}) =>
        Effect.map(
          ask("POST", "/api/tasks", { headers: { ...headers, ...more }, body: { title: "T" } }),
          ({ status }) => status
        )
      assert.strictEqual(yield* read(), 200)
      assert.strictEqual(yield* read({ referer: "http://localhost:3001/board" }), 200)
      assert.strictEqual(yield* read({ referer: "https://evil.example/" }), 401)
      assert.strictEqual(yield* read({ "x-forwarded-for": "127.0.0.1" }), 401)
      assert.strictEqual(yield* write(), 401)
      assert.strictEqual(yield* write({ referer: "http://127.0.0.1/board" }), 201)
      const { baseUrl } = yield* World
      assert.strictEqual(yield* write({ origin: baseUrl }), 201)
      assert.strictEqual(yield* write({ origin: "https://evil.example" }), 403)
      assert.strictEqual(yield* write({ origin: baseUrl, referer: "https://evil.example/" }), 401)
    }).pipe(Effect.provide(world({ access: { allowedHosts: [], allowedOrigins: [] } })))
  )

  it.scopedLive("does not count for a page that is allowed from elsewhere", () =>
    Effect.gen(function* () {
      yield* setup
      const headers = { ...(yield* session), origin: "https://board.example.com" }
      assert.strictEqual((yield* ask("GET", "/api/tasks", { headers })).status, 401)
    }).pipe(
      Effect.provide(world({ access: { allowedHosts: [], allowedOrigins: ["https://board.example.com"] } }))
    )
  )

  it.scopedLive("has the role that its owner has, and is refused to one who was removed", () =>
    Effect.gen(function* () {
      yield* setup
      const early = yield* session
      const asAdmin = (method: string, path: string, body: object = {}) =>
        Effect.map(
          ask(method, `/api/identity/workspaces/default/${path}`, { as: "admin", body }),
          (answer) => answer.body
        )
      const { token } = yield* asAdmin("POST", "invitations", { email: "ann@example.com", role: "admin" })
      const acceptance = { token, displayName: "Ann", email: "ann@example.com" }
      yield* ask("POST", "/api/auth/invitations/accept", { body: acceptance })
      yield* asAdmin("PATCH", "members/member_owner", { role: "read-only" })
      const lowered = yield* login()
      assert.deepInclude(lowered.body, { role: "read-only" })
      const read = (path: string, headers: Record<string, string>) =>
        Effect.map(ask("GET", path, { headers }), ({ status }) => status)
      assert.strictEqual(yield* read("/api/tasks", early), 200)
      assert.strictEqual(yield* read("/api/auth/tokens", early), 403)
      yield* asAdmin("DELETE", "members/member_owner")
      assert.strictEqual(yield* read("/api/tasks", early), 401)
      assert.strictEqual((yield* login()).status, 403)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is no bearer token and no API key, and does not replace one that is wrong", () =>
    Effect.gen(function* () {
      yield* setup
      const token = String((yield* login()).body.token)
      for (const headers of [
        { authorization: `Bearer ${token}` },
        { "x-api-key": token },
        { "x-api-key": "wrong", ...cookieOf(token) },
        cookieOf(`${token}x`)
      ]) {
        assert.strictEqual((yield* ask("GET", "/api/tasks", { headers })).status, 401)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("ends with the logout, and the others stay", () =>
    Effect.gen(function* () {
      yield* setup
      const [one, other] = [yield* session, yield* session]
      const { baseUrl } = yield* World
      const out = yield* ask("POST", "/api/auth/logout", { headers: { ...one, origin: baseUrl } })
      assert.strictEqual(out.status, 200)
      assert.include(out.headers.get("set-cookie") ?? "", "Max-Age=0")
      assert.strictEqual((yield* ask("GET", "/api/tasks", { headers: one })).status, 401)
      assert.strictEqual((yield* ask("GET", "/api/tasks", { headers: other })).status, 200)
      assert.strictEqual((yield* ask("POST", "/api/auth/logout")).status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused for a minute after five wrong ones, the right one too", () =>
    Effect.gen(function* () {
      yield* setup
      const wrong = yield* Effect.all(
        Array.from({ length: 12 }, () => login("a wrong password")),
        { concurrency: "unbounded" }
      )
      const refused = wrong.map(({ status }) => status).sort()
      assert.deepStrictEqual(refused, [...Array(5).fill(401), ...Array(7).fill(429)])
      const right = yield* login()
      assert.strictEqual(right.status, 429)
      assert.strictEqual(right.body.code, "RATE_LIMITED")
      const wait = Number(right.headers.get("retry-after"))
      assert.isTrue(wait > 0 && wait <= 60)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is not locked for the owner by somebody else who guesses, nor is a change of password", () =>
    Effect.gen(function* () {
      yield* setup
      const { baseUrl } = yield* World
      const headers = { ...(yield* session), origin: baseUrl }
      const status = (path: string, body: object, options: RequestOptions) =>
        Effect.map(ask("POST", `/api/auth/${path}`, { body, ...options }), (answer) => answer.status)
      const guess = { password: "a wrong password" }
      for (let times = 0; times < 5; times += 1) assert.strictEqual((yield* login("a guess")).status, 401)
      assert.strictEqual((yield* login()).status, 429)
      assert.strictEqual(yield* status("login", { password }, { as: "admin" }), 200)
      assert.strictEqual(yield* status("login", { password }, { headers }), 200)
      const change = { currentPassword: password, newPassword: "a better password" }
      assert.strictEqual(yield* status("change-password", change, { headers }), 200)
      for (let times = 0; times < 5; times += 1) {
        assert.strictEqual(yield* status("login", guess, { as: "agent" }), 401)
      }
      assert.strictEqual(yield* status("login", guess, { as: "agent" }), 429)
      assert.strictEqual(yield* status("login", guess, { headers: { "x-api-key": "made up" } }), 429)
      assert.strictEqual(yield* status("login", { password: "a better password" }, { as: "admin" }), 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("outlives a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const headers = yield* Effect.provide(Effect.zipRight(setup, session), worldIn(directory))
      const after = yield* Effect.provide(ask("GET", "/api/tasks", { headers }), worldIn(directory))
      assert.strictEqual(after.status, 200)
    })
  )
})

describe("the password", () => {
  it.scopedLive("is changed by the one before, and ends the other sessions", () =>
    Effect.gen(function* () {
      yield* setup
      const { baseUrl } = yield* World
      const [mine, other] = [yield* session, yield* session]
      const change = (currentPassword: string) =>
        ask("POST", "/api/auth/change-password", {
          headers: { ...mine, origin: baseUrl },
          body: { currentPassword, newPassword: "a better password" }
        })
      const wrong = yield* change("not the password")
      assert.strictEqual(wrong.status, 401)
      assert.deepInclude(wrong.body.details, { field: "currentPassword" })
      assert.strictEqual((yield* change(password)).status, 200)
      assert.strictEqual((yield* login()).status, 401)
      assert.strictEqual((yield* login("a better password")).status, 200)
      assert.strictEqual((yield* ask("GET", "/api/tasks", { headers: mine })).status, 200)
      assert.strictEqual((yield* ask("GET", "/api/tasks", { headers: other })).status, 401)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is recovered by the recovery key, which counts once, and ends every session", () =>
    Effect.gen(function* () {
      const { recoveryKey } = yield* setup
      const headers = yield* session
      const recover = (key: string) =>
        ask("POST", "/api/auth/recover", { body: { recoveryKey: key, newPassword: "a new password" } })
      assert.strictEqual((yield* recover("muster_recovery_wrong")).status, 401)
      const both = yield* Effect.all([recover(recoveryKey), recover(recoveryKey)], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [200, 401])
      const next = both.find(({ status }) => status === 200)?.body.recoveryKey
      assert.notStrictEqual(next, recoveryKey)
      assert.strictEqual((yield* ask("GET", "/api/tasks", { headers })).status, 401)
      assert.strictEqual((yield* login()).status, 401)
      assert.strictEqual((yield* login("a new password")).status, 200)
      assert.strictEqual((yield* recover(next)).status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves every step in the audit chain, with who took it as far as that was proven", () =>
    Effect.gen(function* () {
      const { recoveryKey } = yield* setup
      yield* login("a wrong password")
      const headers = { ...(yield* session), referer: "http://localhost/" }
      const newPassword = "another password"
      const change = (currentPassword: string) =>
        ask("POST", "/api/auth/change-password", { headers, body: { currentPassword, newPassword } })
      yield* change("a wrong password")
      yield* change(password)
      yield* ask("POST", "/api/auth/logout", { headers })
      yield* ask("POST", "/api/auth/recover", { body: { recoveryKey: "a guess", newPassword } })
      yield* ask("POST", "/api/auth/recover", { body: { recoveryKey, newPassword } })
      const trail = yield* auditTrail
      assert.deepStrictEqual(
        trail.map(({ action, actor }) => [action, actor]),
        [
          ["auth.setup", "Owner"],
          ["auth.login.failed", "anonymous"],
          ["auth.login", "Owner"],
          ["auth.password.refused", "Owner"],
          ["auth.password.changed", "Owner"],
          ["auth.logout", "Owner"],
          ["auth.recovery.failed", "anonymous"],
          ["auth.recovered", "Owner"]
        ]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is nowhere on the disk, nor is the recovery key or the session", () =>
    Effect.gen(function* () {
      const { recoveryKey } = yield* setup
      const { body } = yield* login()
      yield* login("a wrong password")
      const disk = yield* actions
      assert.include(disk, "argon2id")
      for (const secret of [password, recoveryKey, body.token, "a wrong password"]) {
        assert.notInclude(disk, secret)
      }
      assert.include(disk, "auth.login.failed")
    }).pipe(Effect.provide(world()))
  )
})

describe("the signing secret", () => {
  it.scopedLive("is replaced, and what the one before signed counts for an hour", () =>
    Effect.gen(function* () {
      yield* setup
      const headers = yield* session
      const before = (yield* ask("GET", "/api/auth/rotation-status", { as: "admin" })).body
      assert.deepInclude(before, { graceUntil: null, configured: false })
      assert.strictEqual((yield* ask("POST", "/api/auth/rotate-secret", { as: "agent" })).status, 403)
      const rotated = yield* ask("POST", "/api/auth/rotate-secret", { as: "admin" })
      assert.strictEqual(rotated.status, 200)
      assert.notStrictEqual(rotated.body.keyId, before.keyId)
      const grace = Date.parse(rotated.body.graceUntil) - Date.parse(rotated.body.rotatedAt)
      assert.strictEqual(grace, 3_600_000)
      const status = (yield* ask("GET", "/api/auth/rotation-status", { as: "admin" })).body
      assert.deepStrictEqual(status, rotated.body)
      assert.strictEqual((yield* ask("GET", "/api/tasks", { headers })).status, 200)
      assert.strictEqual((yield* login()).status, 200)
      const { directory } = yield* World
      assert.strictEqual(statSync(join(directory, "signing-keys.json")).mode & 0o777, 0o600)
    }).pipe(Effect.provide(world()))
  )
})
