import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue } from "effect"
import type { RunApproval } from "../../../src/governance/approvals/RunApproval.ts"
import { cancelApprovalsOf, useApproval } from "../../../src/governance/approvals/Units.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { actionOf, ask, asker, requestOf } from "../../support/Approvals.ts"
import { ask as asked, createTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { listen } from "../../support/Socket.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { sweep } from "../../support/Sweep.ts"
import { target } from "../../support/Target.ts"
import { keys, type RequestOptions, World, world } from "../../support/World.ts"

const shared = sharedWorld()

const get = (id: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request("GET", `/api/run-approvals/${id}`, options))

const list = (query: string) =>
  Effect.flatMap(World, ({ request }) => request("GET", `/api/run-approvals${query}`))

const post = (path: string, body: unknown, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request("POST", path, { as: "admin", body, ...options }))

/** The body of a decision by somebody who has seen an approval as it is here. */
const seen = ({ actionHash, revision }: RunApproval, more: object = {}) => ({
  decision: "approved",
  expectedRevision: revision,
  expectedActionHash: actionHash,
  ...more
})

const decide = (approval: RunApproval, more: object = {}, options: RequestOptions = {}) =>
  post(`/api/run-approvals/${approval.id}/decision`, seen(approval, more), options)

describe("run approvals", () => {
  it.scopedLive("are shown with every field of the interface, and none of their secrets", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"hUnter2A".repeat(4)}aB12`
      const approval = yield* ask({
        action: `Push with ${secret}`,
        requestKind: "rewind",
        riskClass: "critical"
      })
      const { body, status } = yield* get(approval.id)
      assert.strictEqual(status, 200)
      assert.hasAllKeys(body, [
        "schemaVersion",
        "id",
        "workspaceId",
        "taskId",
        "attemptId",
        "provider",
        "agentId",
        "requestKind",
        "actionClass",
        "action",
        "actionHash",
        "resourceScope",
        "workingDirectory",
        "riskClass",
        "evidenceRevision",
        "providerRequestId",
        "mobileSafe",
        "status",
        "revision",
        "createdAt",
        "updatedAt",
        "expiresAt"
      ])
      assert.deepInclude(body, {
        schemaVersion: "run-approval/v1",
        id: approval.id,
        workspaceId: "default",
        requestKind: "rewind",
        actionClass: "filesystem",
        riskClass: "critical",
        mobileSafe: false,
        status: "pending",
        revision: 1
      })
      assert.notInclude(JSON.stringify(body), secret)
      assert.strictEqual(Date.parse(body.expiresAt) - Date.parse(body.createdAt), 30 * 60_000)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("are listed newest first, by their state, task, attempt and agent, up to a limit", () =>
    Effect.gen(function* () {
      const agentId = "lister"
      const [first, second, third] = [
        yield* ask({ agentId, taskId: "list_1" }),
        yield* ask({ agentId, taskId: "list_2" }),
        yield* ask({ agentId, taskId: "list_2", attemptId: "list_attempt" })
      ]
      yield* decide(second, { decision: "rejected" })
      const ids = (query: string) =>
        Effect.map(list(query), ({ body }) => body.map(({ id }: RunApproval) => id))
      assert.deepStrictEqual(yield* ids(`?agent=${agentId}`), [third.id, second.id, first.id])
      assert.deepStrictEqual(yield* ids("?taskId=list_2"), [third.id, second.id])
      assert.deepStrictEqual(yield* ids("?taskId=list_2&status=pending"), [third.id])
      assert.deepStrictEqual(yield* ids("?taskId=list_2&status=rejected"), [second.id])
      assert.deepStrictEqual(yield* ids("?attemptId=list_attempt"), [third.id])
      assert.deepStrictEqual(yield* ids(`?attemptId=list_attempt&agent=nobody`), [])
      const one = yield* list(`?agent=${agentId}&limit=1`)
      assert.deepStrictEqual(one.body.length, 1)
      assert.strictEqual(one.headers.get("x-total-count"), "3")
      for (const query of [
        "?status=maybe",
        "?status=",
        "?limit=0",
        "?limit=1001",
        "?limit=x",
        "?limit=1.5"
      ]) {
        const refused = yield* list(query)
        assert.deepStrictEqual([refused.status, refused.body.code], [400, "VALIDATION_ERROR"], query)
      }
      for (const query of [
        `?taskId=${"a".repeat(200)}`,
        "?agent=%00",
        "?attemptId=%ff",
        "?taskId='%20OR%201=1"
      ]) {
        assert.include([200, 400], (yield* list(query)).status, query)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("are decided once: the first decision stays, with who made it and why", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* ask(), yield* ask()]
      const approved = yield* decide(one, { note: "  For this branch  " })
      assert.strictEqual(approved.status, 200)
      assert.deepInclude(approved.body, {
        status: "approved",
        revision: 2,
        decidedBy: "admin",
        note: "  For this branch  "
      })
      assert.isAtLeast(Date.parse(approved.body.updatedAt), Date.parse(one.updatedAt))
      const rejected = yield* decide(other, { decision: "rejected" })
      assert.deepInclude(rejected.body, { status: "rejected", revision: 2 })
      assert.notProperty(rejected.body, "note")
      for (const again of [one, approved.body, { ...one, actionHash: "another" }]) {
        for (const decision of ["approved", "rejected"]) {
          const late = yield* decide(again, { decision })
          assert.deepStrictEqual([late.status, late.body.code], [409, "CONFLICT"])
          assert.deepStrictEqual(late.body.details, { approvalId: one.id, status: "approved" })
        }
      }
      assert.deepStrictEqual((yield* get(one.id)).body, approved.body)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("still wait when somebody decided an earlier revision, or another action", () =>
    Effect.gen(function* () {
      const approval = yield* ask()
      for (const revision of [0, 2, 999]) {
        const stale = yield* decide({ ...approval, revision })
        assert.strictEqual(stale.status, 409)
        assert.hasAllKeys(stale.body, ["code", "message", "details"])
        assert.deepInclude(stale.body.details, { expectedRevision: revision, currentRevision: 1 })
      }
      for (const actionHash of [
        "",
        "another",
        `sha256:${"0".repeat(64)}`,
        approval.actionHash.toUpperCase()
      ]) {
        const changed = yield* decide({ ...approval, actionHash })
        assert.deepStrictEqual([changed.status, changed.body.code], [409, "CONFLICT"])
        assert.strictEqual(changed.body.details.actionHash, approval.actionHash)
      }
      assert.deepStrictEqual((yield* get(approval.id)).body, approval)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("refuse a decision that is none, and change nothing", () =>
    Effect.gen(function* () {
      const approval = yield* ask()
      const path = `/api/run-approvals/${approval.id}/decision`
      const right = seen(approval)
      const without = (field: keyof typeof right) => {
        const { [field]: _, ...rest } = right
        return rest
      }
      const bodies: ReadonlyArray<unknown> = [
        ...(["decision", "expectedRevision", "expectedActionHash"] as const).map(without),
        ...["maybe", "APPROVED", "", null, true, ["approved"], {}].map((decision) => ({
          ...right,
          decision
        })),
        ...["1", 1.5, -1, null, [1], 1e300].map((expectedRevision) => ({ ...right, expectedRevision })),
        ...[null, 7, [approval.actionHash], {}, "a".repeat(201)].map((expectedActionHash) => ({
          ...right,
          expectedActionHash
        })),
        ...[null, 7, ["note"], {}, "a".repeat(2_001), "\u0000", "\ud800"].map((note) => ({ ...right, note })),
        ...[null, "text", [1], { a: "b".repeat(17_000) }].map((responseData) => ({ ...right, responseData })),
        ...[null, [], [right], "approved", 7]
      ]
      for (const body of bodies) {
        const refused = yield* post(path, body)
        assert.deepStrictEqual(
          [refused.status, refused.body.code],
          [400, "VALIDATION_ERROR"],
          JSON.stringify(body)
        )
      }
      assert.deepStrictEqual((yield* get(approval.id)).body, approval)
      const blank = yield* decide(approval, { note: " \u200b ", anythingElse: 1 })
      assert.strictEqual(blank.status, 200)
      assert.notProperty(blank.body, "note")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("take data for an elicitation alone, and lose its secrets", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"hUnter2A".repeat(4)}aB12`
      const plain = yield* ask()
      const refused = yield* decide(plain, { responseData: { branch: "main" } })
      assert.deepStrictEqual([refused.status, refused.body.code], [400, "VALIDATION_ERROR"])
      assert.strictEqual(refused.body.details.issues[0].path, "responseData")
      assert.strictEqual((yield* get(plain.id)).body.status, "pending")
      const question = yield* ask({ requestKind: "elicitation" })
      const responseData = { branch: "main", key: secret }
      const answered = yield* decide(question, { responseData, note: `Use ${secret}` })
      assert.strictEqual(answered.status, 200)
      const { select } = yield* Storage
      const stored = yield* select((sql) => sql`SELECT * FROM run_approvals WHERE id = ${question.id}`)
      assert.include(JSON.stringify(stored), "main")
      assert.notInclude(JSON.stringify([stored, answered.body]), secret)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("are decided by administrators alone, who hear 403 before 404 like everybody", () =>
    Effect.gen(function* () {
      const approval = yield* ask()
      const doors = [
        [`/api/run-approvals/${approval.id}/decision`, seen(approval)],
        ["/api/run-approvals/nobody/decision", seen(approval)],
        [`/api/agents/permissions/approvals/${approval.id}`, { decision: "approved" }],
        ["/api/agents/permissions/approvals/nobody", { decision: "approved" }]
      ] as const
      for (const [path, body] of doors) {
        for (const as of ["agent", "read-only"] as const) {
          assert.strictEqual((yield* post(path, body, { as })).status, 403, `${path} as ${as}`)
        }
      }
      assert.strictEqual((yield* get(approval.id, { as: "read-only" })).body.status, "pending")
      assert.strictEqual((yield* get("nobody")).status, 404)
      assert.strictEqual((yield* get("a".repeat(200))).status, 404)
      assert.strictEqual((yield* get("a".repeat(201))).status, 400)
      for (const [path, body] of doors.filter(([path]) => path.includes("nobody"))) {
        const unknown = yield* post(path, body)
        assert.deepStrictEqual([unknown.status, unknown.body.code], [404, "NOT_FOUND"], path)
      }
      const token = yield* asked("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "Looks", role: "admin", scopes: ["task:read"] }
      })
      const scoped = yield* decide(approval, {}, { as: null, headers: { "x-api-key": token.token } })
      assert.strictEqual(scoped.status, 403)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("have another door that asks for no revision, to the same approvals", () =>
    Effect.gen(function* () {
      const approval = yield* ask()
      const path = `/api/agents/permissions/approvals/${approval.id}`
      for (const body of [
        {},
        { decision: "maybe" },
        { decision: ["approved"] },
        { decision: "approved", note: 7 },
        null
      ]) {
        assert.strictEqual((yield* post(path, body)).status, 400, JSON.stringify(body))
      }
      // What only the first door takes is no part of this one.
      const extra = { expectedRevision: 99, seen: { revision: 99 }, responseData: {} }
      const { body, status } = yield* post(path, { decision: "rejected", note: "No", ...extra })
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { id: approval.id, status: "rejected", revision: 2, note: "No" })
      const again = yield* post(path, { decision: "approved" })
      assert.deepStrictEqual([again.status, again.body.code], [409, "CONFLICT"])
      assert.deepStrictEqual((yield* get(approval.id)).body, body)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("that are not safe on a phone are not decided on one; a desktop may", () =>
    Effect.gen(function* () {
      const device = (clientMode: string) =>
        Effect.gen(function* () {
          const { code, link } = yield* asked(
            "POST",
            "/api/identity/workspaces/default/device-pairing-codes",
            {
              as: "admin",
              body: { deviceName: "Mine", clientMode, role: "admin", scopes: ["task:read", "task:write"] }
            }
          )
          const payload = JSON.parse(Buffer.from(new URL(link).hash.slice(1), "base64url").toString())
          const { token } = yield* asked("POST", "/api/auth/device-pairing/exchange", {
            as: "admin",
            body: { code, payload }
          })
          return { as: null, headers: { authorization: `Bearer ${token}` } }
        })
      for (const clientMode of ["mobile", "pwa"]) {
        const phone = yield* device(clientMode)
        const [shell, reads] = [
          yield* ask(),
          yield* ask({ requestKind: "tool-call", riskClass: "low", readsOnly: true })
        ]
        for (const refused of [
          yield* decide(shell, {}, phone),
          yield* post(`/api/agents/permissions/approvals/${shell.id}`, { decision: "approved" }, phone)
        ]) {
          assert.deepStrictEqual([refused.status, refused.body.code], [403, "PERMISSION_DENIED"])
        }
        assert.strictEqual((yield* get(shell.id)).body.status, "pending")
        assert.strictEqual((yield* decide(reads, {}, phone)).status, 200)
        assert.strictEqual((yield* decide(shell, {}, yield* device("desktop"))).status, 200)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("leave in the audit trail who asked, who decided what, and that it was used", () =>
    Effect.gen(function* () {
      const request = requestOf()
      const approval = yield* ask(request)
      yield* decide(approval)
      const storage = yield* Storage
      yield* storage.write(useApproval(approval.id, actionOf(request), asker))
      const rows = yield* storage.select<{ action: string; actor: string; details: string }>(
        (sql) =>
          sql`SELECT action, actor, details FROM audit WHERE resource_id = ${approval.id} ORDER BY sequence`
      )
      assert.deepStrictEqual(
        rows.map(({ action, actor }) => [action, actor]),
        [
          ["run-approval.requested", "codex"],
          ["run-approval.decided", "admin"],
          ["run-approval.used", "codex"]
        ]
      )
      assert.deepInclude(JSON.parse(rows[1]?.details ?? "{}"), {
        decision: "approved",
        actionHash: approval.actionHash,
        attemptId: approval.attemptId
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("have one winner of many decisions at once, over the wire too", () =>
    Effect.gen(function* () {
      const approval = yield* ask()
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, (_, index) =>
          index % 3 === 0
            ? post(`/api/agents/permissions/approvals/${approval.id}`, { decision: "rejected" })
            : decide(approval)
        ),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ status }) => status)
      assert.deepStrictEqual(statuses.toSorted(), [200, ...Array.from({ length: 11 }, () => 409)])
    }).pipe(Effect.provide(shared))
  )
})

describe("what waits for a person", () => {
  it.scopedLive("stands in the context of its task while it waits, and the task itself stays as it is", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      const context = (id: string) => asked("GET", `/api/tasks/${id}/context`)
      assert.notProperty(yield* context(task.id), "waitingApprovals")
      const made = yield* Effect.forEach(Array.from({ length: 22 }), (_, index) =>
        ask({ taskId: task.id, action: `Step ${index}` })
      )
      const { newest, ...rest } = (yield* context(task.id)).waitingApprovals
      assert.deepStrictEqual(rest, { count: 22 })
      assert.strictEqual(newest.length, 20)
      assert.hasAllKeys(newest[0], [
        "id",
        "attemptId",
        "agentId",
        "requestKind",
        "action",
        "riskClass",
        "createdAt",
        "expiresAt"
      ])
      assert.deepInclude(newest[0], { id: made.at(-1)?.id, action: "Step 21" })
      assert.deepStrictEqual(yield* asked("GET", `/api/tasks/${task.id}`), task)
      for (const approval of made) yield* decide(approval, { decision: "rejected" })
      assert.notProperty(yield* context(task.id), "waitingApprovals")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is told on the stream to those who read tasks, and told again when it waits no longer", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const token = yield* asked("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "Blind", role: "agent", scopes: ["agent:read"] }
      })
      const reader = yield* listen(baseUrl, { headers: { "x-api-key": keys["read-only"] } })
      const blind = yield* Effect.option(listen(baseUrl, { headers: { "x-api-key": token.token } }))
      const approval = yield* ask()
      const of = (type: string) => (message: { type: string; approval?: RunApproval }) =>
        message.type === type && message.approval?.id === approval.id
      assert.deepInclude(yield* reader.until(of("approval:pending")), { approval })
      const { body } = yield* decide(approval)
      assert.deepStrictEqual((yield* reader.until(of("approval:changed"))).approval, body)
      const storage = yield* Storage
      const gone = yield* ask()
      yield* storage.write(cancelApprovalsOf(gone.attemptId))
      yield* reader.until(({ approval }) => approval?.id === gone.id && approval?.status === "cancelled")
      if (blind._tag === "Some") {
        const heard = yield* blind.value.waiting
        assert.isEmpty(heard.filter(({ type }: { type: string }) => type.startsWith("approval:")))
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("sets off the hooks that call a person", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const task = yield* createTask({ project: "docs" })
      const hook = { event: "approval.pending", action: { type: "webhook", url: `${to.url}/in` } }
      yield* asked("POST", "/api/hooks", {
        as: "admin",
        body: { name: "Needs you", filter: { project: "docs" }, ...hook }
      })
      yield* ask({ action: "Of a task of another project" })
      const approval = yield* ask({ taskId: task.id })
      const { body } = yield* Queue.take(to.arrivals)
      assert.deepInclude(body, { event: "approval.pending", taskId: task.id, approval })
      assert.strictEqual(body.task.id, task.id)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("goes with its task, when that is deleted for good", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      const approval = yield* ask({ taskId: task.id })
      yield* asked("DELETE", `/api/tasks/${task.id}`, { as: "admin" })
      assert.strictEqual((yield* get(approval.id)).status, 404)
      assert.strictEqual((yield* decide(approval)).status, 404)
    }).pipe(Effect.provide(shared))
  )
})

/** A world that lives by a clock of its own. */
const byClock = <A, E, R>(use: (clock: ReturnType<typeof steppedClock>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const clock = steppedClock()
    return Effect.zipRight(clock.step("40 days"), use(clock)).pipe(
      Effect.provide(Layer.provide(world(), clock.layer))
    )
  })

describe("an approval whose time is over", () => {
  it.scopedLive("is expired at that very moment, wherever it is read, and nobody rejected it", () =>
    byClock(({ step }) =>
      Effect.gen(function* () {
        const task = yield* createTask()
        const approval = yield* ask({ taskId: task.id })
        const statusIn = (status: string) => Effect.map(list(`?status=${status}`), ({ body }) => body.length)
        yield* step(30 * 60_000 - 1)
        assert.strictEqual((yield* get(approval.id)).body.status, "pending")
        assert.deepStrictEqual([yield* statusIn("pending"), yield* statusIn("expired")], [1, 0])
        yield* step(1)
        const { body } = yield* get(approval.id)
        assert.deepInclude(body, { status: "expired", revision: 2, updatedAt: approval.expiresAt })
        assert.notProperty(body, "decidedBy")
        assert.deepStrictEqual([yield* statusIn("pending"), yield* statusIn("expired")], [0, 1])
        assert.deepStrictEqual((yield* list("")).body, [body])
        assert.notProperty(yield* asked("GET", `/api/tasks/${task.id}/context`), "waitingApprovals")
        const late = yield* decide(body)
        assert.deepStrictEqual([late.status, late.body.details.status], [409, "expired"])
        assert.deepStrictEqual((yield* get(approval.id)).body, body, "written down as it was read")
      })
    )
  )

  it.scopedLive("is forgotten after three months with those that were decided; what waits is not", () =>
    byClock(({ step }) =>
      Effect.gen(function* () {
        const [expired, decided] = [yield* ask(), yield* ask()]
        const waits = yield* ask({ lifetime: "300 days" })
        yield* decide(decided)
        yield* step("1 hour")
        yield* decide(expired)
        yield* step("80 days")
        yield* sweep({ approvals: { count: 1 } })
        assert.strictEqual((yield* list("")).body.length, 3)
        yield* step("20 days")
        yield* sweep({ approvals: { count: 0 } })
        assert.deepStrictEqual(
          (yield* list("")).body.map(({ id }: RunApproval) => id),
          [waits.id]
        )
      })
    )
  )
})
