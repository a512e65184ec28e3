import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Queue, Redacted } from "effect"
import { Circuits } from "../../../src/kernel/outbound/Circuits.ts"
import { ask, createTask } from "../../support/Board.ts"
import { type Target, target } from "../../support/Target.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const createHook = (hook: object) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const { body, status } = yield* request("POST", "/api/hooks", { as: "admin", body: hook })
    assert.strictEqual(status, 201, JSON.stringify(body))
    return body
  })

const hookTo = (to: Target, event: string, more: object = {}) =>
  createHook({ name: "Tell them", event, action: { type: "webhook", url: `${to.url}/in` }, ...more })

/** URLs that let in whoever knows them. */
const credentialUrls = [
  "https://user:hunter2@example.com/",
  "https://hunter2@example.com/",
  "https://example.com/?token=hunter2",
  "https://example.com/?access_token=hunter2",
  "https://example.com/?a=b&api_key=hunter2",
  "https://example.com/?apiKey=hunter2",
  "https://example.com/?key=hunter2",
  "https://example.com/?sig=hunter2",
  "https://example.com/?%74oken=hunter2",
  "https://example.com/?password=hunter2",
  "https://example.azurewebsites.net/api/f?code=hunter2hunter2hunter2",
  "https://chat.googleapis.com/v1/spaces/A/messages?key=hunter2&token=hunter2",
  "https://hooks.slack.com/services/T0/B0/hunter2",
  "https://hooks.slack.com./services/T0/B0/hunter2",
  "https://hooks.slack.com/%73ervices/T0/B0/hunter2",
  "https://hooks.slack.com/workflows/T0/A0/1/hunter2",
  "https://discord.com/api/webhooks/1/hunter2",
  "https://discordapp.com/api/v10/webhooks/1/hunter2",
  "https://acme.webhook.office.com/webhookb2/hunter2",
  "https://hooks.zapier.com/hooks/catch/1/hunter2/",
  "https://maker.ifttt.com/trigger/e/with/key/hunter2",
  "https://api.telegram.org/bot1:hunter2/sendMessage",
  "https://chat.example.com/hooks/hunter2hunter2hunter2hunt",
  `https://example.com/in/ghp_${"hUnter2A".repeat(4)}aB12`
]

const executions = (query = "") => ask("GET", `/api/hooks/executions${query}`, { as: "admin" })

/** Waits until an execution of the hook has come to an end, or to another state. */
const settled = (hookId: string, status = "success") =>
  Effect.gen(function* () {
    for (;;) {
      const [newest] = yield* executions(`?hookId=${hookId}`)
      if (newest?.status === status) return newest
      yield* Effect.sleep(5)
    }
  })

const change = (id: string, status: string) => ask("PATCH", `/api/tasks/${id}`, { body: { status } })

describe("a hook", () => {
  it.scopedLive("tells its target of the event that it waits for, with the task and both statuses", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const hook = yield* hookTo(to, "task.status.changed", { filter: { newStatus: "done" } })
      assert.deepInclude(hook, { event: "task.status.changed", filter: { newStatus: "done" }, enabled: true })
      const task = yield* createTask({ title: "Write it" })
      yield* change(task.id, "in-progress")
      yield* change(task.id, "done")
      const { body, headers, path } = yield* Queue.take(to.arrivals)
      assert.strictEqual(path, "/in")
      assert.deepInclude(body, {
        event: "task.status.changed",
        hookId: hook.id,
        taskId: task.id,
        oldStatus: "in-progress",
        newStatus: "done"
      })
      assert.deepInclude(body.task, { id: task.id, title: "Write it", status: "done" })
      const execution = yield* settled(hook.id)
      assert.deepInclude(execution, { hookId: hook.id, statusCode: 200, attempts: 1 })
      assert.strictEqual(headers["x-muster-delivery"], execution.id)
      // The change to in-progress did not pass the filter, so nothing else is on its way.
      assert.lengthOf(yield* executions(), 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can wait for every event that is documented", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const events = [
        "task.created",
        "task.updated",
        "task.status.changed",
        "task.completed",
        "task.archived",
        "run.started",
        "run.completed",
        "squad.message"
      ]
      for (const event of events) yield* hookTo(to, event, { name: event })
      const task = yield* createTask()
      yield* change(task.id, "done")
      yield* ask("POST", `/api/tasks/${task.id}/archive`)
      const run = { taskId: task.id, agent: "codex" }
      yield* ask("POST", "/api/telemetry/events", { body: { type: "run.started", ...run } })
      yield* ask("POST", "/api/telemetry/events", {
        body: { type: "run.completed", durationMs: 1, success: true, ...run }
      })
      yield* ask("POST", "/api/chat/squad", { body: { agent: "codex", message: "Done" } })
      const told = new Set<string>()
      while (told.size < events.length) told.add((yield* Queue.take(to.arrivals)).body.event)
      assert.sameMembers([...told], events)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("hears of all that changes a task, a comment and the way back too, until it is gone", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* hookTo(to, "task.updated")
      const { id } = yield* createTask()
      yield* ask("POST", `/api/tasks/${id}/comments`, { body: { text: "Looks good" } })
      yield* ask("POST", `/api/tasks/${id}/archive`)
      yield* ask("POST", `/api/tasks/${id}/restore`)
      yield* ask("DELETE", `/api/tasks/${id}`, { as: "admin" })
      assert.lengthOf(yield* executions(), 3)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says of a message which one it is, and which task it is about", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* hookTo(to, "squad.message")
      const { id: taskId } = yield* createTask()
      const message = { agent: "codex", message: "Done", taskId }
      const { id: messageId } = yield* ask("POST", "/api/chat/squad", { body: message })
      const { body } = yield* Queue.take(to.arrivals)
      assert.deepInclude(body, { event: "squad.message", taskId, messageId, newStatus: null })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("hears nothing of what was before it, and nothing while it is switched off", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* createTask({ title: "Before" })
      const hook = yield* hookTo(to, "task.created")
      yield* createTask({ title: "Heard" })
      assert.strictEqual((yield* Queue.take(to.arrivals)).body.task.title, "Heard")
      yield* ask("PATCH", `/api/hooks/${hook.id}`, { as: "admin", body: { enabled: false } })
      yield* createTask({ title: "Off" })
      yield* ask("PATCH", `/api/hooks/${hook.id}`, { as: "admin", body: { enabled: true } })
      yield* createTask({ title: "On again" })
      assert.strictEqual((yield* Queue.take(to.arrivals)).body.task.title, "On again")
      assert.lengthOf(yield* executions(), 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("signs what it sends when it has a secret, which nobody can read back", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const action = { type: "webhook", url: to.url, secretRef: "env:HOOK_KEY" }
      yield* hookTo(to, "task.created", { action })
      yield* createTask()
      const { headers, text } = yield* Queue.take(to.arrivals)
      const timestamp = String(headers["x-muster-timestamp"])
      const hmac = createHmac("sha256", "hunter2hunter2").update(`${timestamp}.${text}`).digest("hex")
      assert.strictEqual(headers["x-muster-signature"], `sha256=${hmac}`)
      assert.notInclude(JSON.stringify(yield* ask("GET", "/api/hooks", { as: "admin" })), "hunter2")
    }).pipe(Effect.provide(world({ secrets: new Map([["HOOK_KEY", Redacted.make("hunter2hunter2")]]) })))
  )

  it.scopedLive("that names a secret which nobody listed sends nothing, and says so", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const action = { type: "webhook", url: to.url, secretRef: "env:SERVICE_ADMIN_KEY" }
      const hook = yield* hookTo(to, "task.created", { action })
      yield* createTask()
      assert.deepInclude(yield* settled(hook.id, "retrying"), { error: "secret-not-set" })
      assert.strictEqual(yield* Queue.size(to.arrivals), 0)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("carries the credential that it names, and goes to the URL that a variable holds", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const hidden = `${to.url}/services/T0/hunter2hunter2`
      yield* Effect.gen(function* () {
        const { request } = yield* World
        const action = { type: "webhook", urlRef: "env:HOOK_URL", credentialRef: "env:HOOK_TOKEN" }
        const hook = yield* hookTo(to, "task.created", { action })
        assert.deepStrictEqual(hook.action, action)
        yield* createTask()
        const { headers, path } = yield* Queue.take(to.arrivals)
        assert.strictEqual(path, "/services/T0/hunter2hunter2")
        assert.strictEqual(headers["authorization"], "Bearer hunter3hunter3")
        yield* settled(hook.id)
        for (const seen of ["/api/hooks", "/api/hooks/executions", "/api/audit"]) {
          const { body } = yield* request("GET", seen, { as: "admin" })
          assert.include(JSON.stringify(body), hook.id, seen)
          assert.notInclude(JSON.stringify(body), "hunter", seen)
        }
      }).pipe(
        Effect.provide(
          world({
            secrets: new Map([
              ["HOOK_URL", Redacted.make(hidden)],
              ["HOOK_TOKEN", Redacted.make("hunter3hunter3")]
            ])
          })
        )
      )
    })
  )

  it.scopedLive("sends a secret that is bound to a host nowhere else, and says so where it is named", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const { host } = new URL(to.url)
      const options = (secretPlaces: ReadonlyMap<string, ReadonlyArray<string>>) => ({
        secrets: new Map(
          ["HOOK_KEY", "HOOK_TOKEN", "HOOK_URL", "RELAY_PRIVATE_KEY"].map((name) => [
            name,
            Redacted.make(name === "HOOK_URL" ? to.url : `${name}-hunter2`)
          ])
        ),
        secretPlaces
      })
      const directory = yield* temporaryDirectory
      const action = {
        type: "webhook",
        url: to.url,
        secretRef: "env:HOOK_KEY",
        credentialRef: "env:HOOK_TOKEN"
      }
      yield* Effect.gen(function* () {
        const { request } = yield* World
        const refused: ReadonlyArray<readonly [object, string]> = [
          [{ ...action, url: "https://example.com/", credentialRef: undefined }, "action.secretRef"],
          [{ ...action, secretRef: "env:RELAY_PRIVATE_KEY" }, "action.secretRef"],
          [{ ...action, credentialRef: "env:RELAY_AUTH_TAG" }, "action.credentialRef"],
          [{ type: "webhook", urlRef: "env:RELAY_PRIVATE_KEY" }, "action.urlRef"]
        ]
        for (const [wrong, path] of refused) {
          const body = { name: "A", event: "task.created", action: wrong }
          const answer = yield* request("POST", "/api/hooks", { as: "admin", body })
          assert.strictEqual(answer.status, 400, JSON.stringify(wrong))
          assert.strictEqual(answer.body.details.issues[0].path, path)
        }
        yield* hookTo(to, "task.created", { action })
        yield* hookTo(to, "task.created", { action: { type: "webhook", urlRef: "env:HOOK_URL" } })
        yield* createTask()
        yield* Queue.take(to.arrivals)
        yield* Queue.take(to.arrivals)
      }).pipe(
        Effect.provide(
          worldIn(
            directory,
            options(
              new Map([
                ["HOOK_KEY", [host]],
                ["HOOK_TOKEN", [host]],
                ["HOOK_URL", [host]]
              ])
            )
          )
        ),
        Effect.scoped
      )
      yield* Effect.gen(function* () {
        const hooks = yield* ask("GET", "/api/hooks", { as: "admin" })
        yield* createTask()
        for (const { id } of hooks) {
          assert.deepInclude(yield* settled(id, "retrying"), { error: "secret-not-set" })
        }
        assert.strictEqual(yield* Queue.size(to.arrivals), 0)
      }).pipe(
        Effect.provide(
          worldIn(
            directory,
            options(
              new Map([
                ["HOOK_TOKEN", ["example.com"]],
                ["HOOK_URL", ["example.com"]]
              ])
            )
          )
        ),
        Effect.scoped
      )
    })
  )

  it.scopedLive("shows its URL without the query to those who may not write it", () =>
    Effect.gen(function* () {
      const url = "https://example.com:8443/in?room=7#part"
      const { id } = yield* createHook({ name: "A", event: "task.created", action: { type: "webhook", url } })
      for (const as of ["agent", "read-only"] as const) {
        const [listed] = yield* ask("GET", "/api/hooks", { as })
        assert.strictEqual(listed.action.url, "https://example.com:8443/in")
        const got = yield* ask("GET", `/api/hooks/${id}`, { as })
        assert.strictEqual(got.action.url, "https://example.com:8443/in")
      }
      assert.strictEqual((yield* ask("GET", `/api/hooks/${id}`, { as: "admin" })).action.url, url)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("holds no credential in its URL, and says where one belongs", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const url of credentialUrls) {
        const body = { name: "A", event: "task.created", action: { type: "webhook", url } }
        const answer = yield* request("POST", "/api/hooks", { as: "admin", body })
        assert.strictEqual(answer.status, 400, url)
        const [issue] = answer.body.details.issues
        assert.strictEqual(issue.path, "action.url", url)
        assert.match(issue.message, /action\.credentialRef.*action\.urlRef/, url)
        assert.notInclude(JSON.stringify(answer.body), "unter", url)
      }
      const both = { type: "webhook", url: "https://example.com/", urlRef: "env:HOOK_URL" }
      for (const [action, path] of [
        [both, "action.urlRef"],
        [{ type: "webhook" }, "action.url"],
        [{ type: "webhook", url: "http://example.com/", credentialRef: "env:HOOK_TOKEN" }, "action.url"]
      ] as const) {
        const body = { name: "A", event: "task.created", action }
        const answer = yield* request("POST", "/api/hooks", { as: "admin", body })
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(answer.body.details.issues[0].path, path)
      }
      assert.deepStrictEqual(yield* ask("GET", "/api/hooks", { as: "admin" }), [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("sends nothing secret that a task may hold", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* hookTo(to, "squad.message")
      yield* hookTo(to, "task.created")
      const secret = `ghp_${"a1B2".repeat(9)}`
      yield* createTask({ title: "Rotate", description: `The token is ${secret}` })
      assert.notInclude((yield* Queue.take(to.arrivals)).text, secret)
      const fired = { event: "task.created", payload: { note: secret, password: "hunter2" } }
      yield* ask("POST", "/api/hooks/fire", { as: "admin", body: fired })
      const { text } = yield* Queue.take(to.arrivals)
      assert.notInclude(text, secret)
      assert.notInclude(text, "hunter2")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can be fired by hand, for itself or for its event", () =>
    Effect.gen(function* () {
      const to = yield* target()
      const off = yield* hookTo(to, "task.created", { enabled: false })
      const on = yield* hookTo(to, "task.archived")
      const one = yield* ask("POST", "/api/hooks/fire", {
        as: "admin",
        body: { hookId: off.id, payload: { test: true } }
      })
      assert.lengthOf(one.deliveries, 1)
      const { body } = yield* Queue.take(to.arrivals)
      assert.deepInclude(body, { hookId: off.id, event: "task.created", task: null })
      assert.deepStrictEqual(body.payload, { test: true })
      const all = yield* ask("POST", "/api/hooks/fire", { as: "admin", body: { event: "task.archived" } })
      assert.strictEqual(all.deliveries[0].hookId, on.id)
      assert.strictEqual((yield* Queue.take(to.arrivals)).body.hookId, on.id)
      const none = yield* ask("POST", "/api/hooks/fire", { as: "admin", body: { event: "run.started" } })
      assert.deepStrictEqual(none, { success: true, deliveries: [] })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused where its parts are wrong, with the field that is", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const good = {
        name: "A",
        event: "task.created",
        action: { type: "webhook", url: "https://example.com/" }
      }
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ ...good, name: " " }, "name"],
        [{ ...good, event: "task.exploded" }, "event"],
        [{ ...good, filter: { color: "red" } }, "filter.color"],
        [{ ...good, filter: { newStatus: "gone" } }, "filter.newStatus"],
        [{ ...good, action: { type: "shell", url: "https://example.com/" } }, "action.type"],
        [{ ...good, action: { url: "https://example.com/" } }, "action.type"],
        [{ ...good, action: { type: "webhook" } }, "action.url"],
        [{ ...good, action: { type: "webhook", url: "ftp://example.com/" } }, "action.url"],
        [{ ...good, action: { type: "webhook", url: "http://169.254.169.254/" } }, "action.url"],
        [{ ...good, action: { type: "webhook", url: "http://10.0.0.1/" } }, "action.url"],
        [{ ...good, action: { type: "webhook", url: "https://u:p@example.com/" } }, "action.url"],
        [{ ...good, action: { ...good.action, secretRef: "hunter2" } }, "action.secretRef"]
      ]
      for (const [hook, field] of wrong) {
        const { body, status } = yield* request("POST", "/api/hooks", { as: "admin", body: hook })
        assert.strictEqual(status, 400, JSON.stringify(hook))
        assert.strictEqual(body.code, "VALIDATION_ERROR")
        assert.include(
          body.details.issues.map(({ path }: { path: string }) => path),
          field
        )
        assert.notInclude(JSON.stringify(body), "hunter2")
      }
      for (const [method, path] of [
        ["GET", "/api/hooks/nobody"],
        ["PATCH", "/api/hooks/nobody"],
        ["DELETE", "/api/hooks/nobody"]
      ] as const) {
        const body = method === "PATCH" ? { name: "B" } : undefined
        assert.strictEqual((yield* request(method, path, { as: "admin", body })).status, 404)
      }
      const fire = yield* request("POST", "/api/hooks/fire", { as: "admin", body: { hookId: "nobody" } })
      assert.strictEqual(fire.status, 404)
      assert.strictEqual((yield* request("POST", "/api/hooks", { body: good })).status, 403)
    }).pipe(Effect.provide(world()))
  )
})

describe("a delivery", () => {
  it.scopedLive("is tried again when the target says later, and is over when it refuses", () =>
    Effect.gen(function* () {
      const busy = yield* target((response) => response.writeHead(503, { "retry-after": "120" }).end())
      const gone = yield* target((response) => response.writeHead(410).end())
      const moved = yield* target((response, { headers }) =>
        response.writeHead(307, { location: `http://${headers.host}/elsewhere` }).end()
      )
      const later = yield* hookTo(busy, "task.created")
      const never = yield* hookTo(gone, "task.created")
      const redirected = yield* hookTo(moved, "task.created")
      yield* createTask()
      const retrying = yield* settled(later.id, "retrying")
      assert.deepInclude(retrying, { attempts: 1, statusCode: 503, error: "status-503" })
      const pause = Date.parse(retrying.nextAttemptAt) - Date.parse(retrying.startedAt)
      assert.isAtLeast(pause, 120_000)
      assert.deepInclude(yield* settled(never.id, "failed"), { attempts: 1, statusCode: 410 })
      assert.deepInclude(yield* settled(redirected.id, "failed"), { attempts: 1, statusCode: 307 })
      assert.strictEqual(yield* Queue.size(moved.arrivals), 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("to a target that hangs holds up neither the board nor other hooks", () =>
    Effect.gen(function* () {
      const hanging = yield* target(() => {})
      const healthy = yield* target()
      yield* hookTo(hanging, "task.created")
      yield* hookTo(healthy, "task.created")
      for (const title of ["One", "Two", "Three"]) yield* createTask({ title })
      const titles: Array<string> = []
      while (titles.length < 3) titles.push((yield* Queue.take(healthy.arrivals)).body.task.title)
      assert.deepStrictEqual(titles, ["One", "Two", "Three"])
      yield* Queue.take(hanging.arrivals)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("survives a restart: what was queued, and what was under way, under the same id", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const answers: Array<() => void> = []
      const to = yield* target((response) => {
        // The first attempt never gets an answer.
        if (answers.push(() => response.end()) > 1) response.end()
      })
      yield* Effect.gen(function* () {
        yield* hookTo(to, "task.created")
        yield* createTask({ title: "One" })
        yield* createTask({ title: "Two" })
        yield* Queue.take(to.arrivals)
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      const delivered = yield* Effect.gen(function* () {
        const arrivals = [yield* Queue.take(to.arrivals), yield* Queue.take(to.arrivals)]
        for (;;) {
          const all = yield* executions("?status=success")
          if (all.length === 2) return { arrivals, ids: all.map(({ id }: { id: string }) => id) }
          yield* Effect.sleep(5)
        }
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      assert.deepStrictEqual(
        delivered.arrivals.map(({ body }) => body.task.title),
        ["One", "Two"]
      )
      assert.sameMembers(
        delivered.arrivals.map(({ headers }) => headers["x-muster-delivery"]),
        delivered.ids
      )
    })
  )

  it.scopedLive("is dropped with its hook", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const hanging = yield* target(() => {})
      const hook = yield* hookTo(hanging, "task.created")
      yield* createTask()
      yield* createTask()
      yield* Queue.take(hanging.arrivals)
      const { status } = yield* request("DELETE", `/api/hooks/${hook.id}`, { as: "admin" })
      assert.strictEqual(status, 204)
      const all = yield* executions(`?hookId=${hook.id}`)
      assert.deepStrictEqual(
        all.map(({ error, status: state }: { error: string; status: string }) => [state, error]),
        [
          ["dropped", "hook-deleted"],
          ["dropped", "hook-deleted"]
        ]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps a thousand events waiting, and drops the oldest for more", () =>
    Effect.gen(function* () {
      const to = yield* target(() => {})
      const hook = yield* hookTo(to, "task.updated")
      const tasks = yield* Effect.all(Array.from({ length: 103 }, () => createTask()))
      const taskIds = tasks.map(({ id }: { id: string }) => id)
      for (let round = 0; round < 10; round++) {
        yield* ask("POST", "/api/tasks/bulk-update", {
          body: { taskIds, updates: { title: `Round ${round}` } }
        })
      }
      const of = (status: string) => executions(`?hookId=${hook.id}&limit=1000&status=${status}`)
      const dropped = yield* of("dropped")
      assert.isTrue(dropped.every(({ error }: { error: string }) => error === "queue-full"))
      // The queues are looked at every 64 events: 24 of the 1,030 are too many then.
      assert.lengthOf(dropped, 24)
      const queued = yield* of("queued")
      // Both are told newest first.
      assert.isAtMost(
        Date.parse(dropped[0].createdAt),
        Date.parse(queued.at(-1).createdAt),
        "what is dropped is older"
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("waits while an operator blocks all deliveries", () =>
    Effect.gen(function* () {
      const circuits = yield* Circuits
      const to = yield* target()
      const hook = yield* hookTo(to, "task.created")
      const until = (yield* Clock.currentTimeMillis) + 60_000
      yield* circuits.override("webhook:delivery", { mode: "block", reason: "Migration", until, by: "admin" })
      yield* createTask()
      for (;;) {
        const [execution] = yield* executions(`?hookId=${hook.id}`)
        if (execution?.error === "blocked") {
          assert.deepInclude(execution, { status: "queued", attempts: 0 })
          break
        }
        yield* Effect.sleep(5)
      }
      assert.strictEqual(yield* Queue.size(to.arrivals), 0)
    }).pipe(Effect.provide(world()))
  )
})
