import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Runtime } from "effect"
import { RunJournals } from "../../src/runs/journal/RunJournals.ts"
import { keepFinding } from "../../src/runs/watchdog/KeepFinding.ts"
import * as Outbox from "../../src/storage/events/Outbox.ts"
import { firstRow } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { ask as askForApproval } from "../support/Approvals.ts"
import { type RawAnswer, type RawRequest, rawSender } from "../support/RawHttp.ts"
import { keys, World, world } from "../support/World.ts"
import { type Attempt, attempts } from "./Attempts.ts"
import { problemOf, routes } from "./Contract.ts"
import { isDocumented } from "./Document.ts"
import { imported } from "./Imported.ts"

/** The long form: `npm run fuzz`, or FUZZ_RUNS and FUZZ_SEED. Without them the run is short and always the same. */
const { FUZZ_RUNS, FUZZ_SEED } = process.env
const runs = Number(FUZZ_RUNS ?? 1_000)
const seed = Number(FUZZ_SEED ?? (FUZZ_RUNS === undefined ? 20_261_121 : Math.trunc(Math.random() * 2 ** 31)))

/** How many requests go by until what they point at is made anew: some of them delete it. */
const period = 40

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A run at a task: what it has put out, what was found about it, and what it holds. */
const furnishRun = (taskId: string, agent: string) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const { append } = yield* RunJournals
    const { write } = yield* Storage
    const started = yield* request("POST", `/api/agents/${taskId}/start`, { as: "admin", body: { agent } })
    const attemptId: string = started.body.attemptId ?? "none"
    // Where requests have changed the limits, it may not have begun.
    yield* Effect.ignore(
      append(attemptId, [{ kind: "tool_result", payload: { a: { b: [1, "ü"] }, pad: "p ".repeat(10_000) } }])
    )
    const evidence = { lastSequence: 1, silentSince: "2026-01-01T00:00:00.000Z" }
    yield* write(keepFinding({ taskId, attemptId, kind: "silence", episode: 1, evidence }))
    const of = `/api/agents/${taskId}`
    const events = yield* request("GET", `${of}/attempts/${attemptId}/events`)
    const found = yield* request("GET", `${of}/watchdog?attemptId=${attemptId}`)
    const held = yield* request("GET", `/api/admission?taskId=${taskId}`)
    return new Map<string, string>([
      ["attempt", attemptId],
      ["artifact", events.body.events?.[0]?.payload?.artifactId ?? "none"],
      ["finding", found.body.findings?.[0]?.id ?? "none"],
      ["reservation", held.body[0]?.id ?? "none"]
    ])
  })

/** Things for requests to be about, by the names that attempts call them. */
const furnish = Effect.gen(function* () {
  const { request } = yield* World
  const make = (path: string, body: object) =>
    Effect.map(request("POST", `/api/${path}`, { as: "admin", body }), (answer) => answer.body)
  const task = yield* make("tasks", { title: "Something to be about" })
  const other = yield* make("tasks", { title: "Something else" })
  const below = yield* make("tasks", { title: "Something to depend on" })
  yield* make(`tasks/${task.id}/dependencies`, { dependsOn: below.id })
  yield* make(`tasks/${task.id}/checkpoint`, { state: { step: 1 } })
  const observation = yield* make(`tasks/${task.id}/observations`, { content: "Seen" })
  const { comments } = yield* make(`tasks/${task.id}/comments`, { text: "Said" })
  const { timeTracking } = yield* make(`tasks/${task.id}/time/entry`, { durationMs: 1_000 })
  const message = yield* make("chat/squad", { agent: "codex", message: "@ann look" })
  const template = yield* make("templates", { name: `Template ${task.id}` })
  const ceremony = yield* make("ceremonies", { type: "design-review", taskId: task.id })
  const session = yield* make("chat/send", { message: "How far is it?", taskId: task.id })
  const hook = yield* make("hooks", {
    name: "Nobody listens",
    event: "task.archived",
    enabled: false,
    action: { type: "webhook", url: "http://127.0.0.1:9/" }
  })
  const token = yield* make("auth/tokens", { name: "CI", role: "agent" })
  const email = `${task.id}@example.com`
  const invite = make("identity/workspaces/default/invitations", { email, role: "agent" })
  const [accepted, invitation] = [yield* invite, yield* invite]
  const { membership } = yield* make("auth/invitations/accept", {
    token: accepted.token,
    displayName: "Ann",
    email
  })
  yield* make("integrations/trackers/introspect", { provider: "local", project: "demo" })
  const profile = yield* request("PUT", "/api/integrations/trackers/profiles/demo", {
    as: "admin",
    body: {
      id: "demo",
      name: "Demo",
      provider: "local",
      enabled: true,
      defaultWorkItemType: "Task",
      fieldMappings: [{ trackerFieldId: "title", source: "title" }]
    }
  })
  const adapter = "/api/integrations/communication/adapters/demo"
  const channel = "3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60"
  yield* request("PUT", adapter, {
    as: "admin",
    body: {
      kind: "relay",
      displayName: "Nobody answers",
      enabled: false,
      relayHttpUrl: "http://127.0.0.1:9",
      allowLocalhost: true
    }
  })
  const mapping = yield* request("PUT", `${adapter}/relay/channels/${channel}`, {
    as: "admin",
    body: { target: { kind: "squad" }, enabled: true, actor: "bridge" }
  })
  const rule = yield* request("POST", `${adapter}/relay/workflow-triggers`, {
    as: "admin",
    body: { mappingId: mapping.body.id, workflowId: "deploy" }
  })
  const registration = yield* make("agents/register", { id: "far/away", name: "Far away" })
  const { agentProfile, roster } = yield* imported
  const run = yield* furnishRun(task.id, registration.id)
  const approval = yield* askForApproval({ taskId: task.id })
  const notifications = yield* request("GET", "/api/notifications?actor=ann")
  return new Map<string, string>([
    ...run,
    ["task", task.id],
    ["approval", approval.id],
    ["other", other.id],
    ["below", below.id],
    ["observation", observation.id],
    ["comment", comments[0].id],
    ["entry", timeTracking.entries[0].id],
    ["message", message.id],
    ["template", template.id ?? "none"],
    ["profile", profile.body.id],
    ["notification", notifications.body[0].id],
    ["ceremony", ceremony.id],
    ["session", session.sessionId],
    ["hook", hook.id ?? "none"],
    ["token", token.id],
    ["invitation", invitation.id],
    ["member", membership?.id ?? "none"],
    ["workspace", "default"],
    ["adapter", "demo"],
    ["channel", channel],
    ["mapping", mapping.body.id ?? "none"],
    ["rule", rule.body.id ?? "none"],
    ["registration", encodeURIComponent(registration.id)],
    ["agentProfile", agentProfile],
    ["roster", roster]
  ])
})

/** The text with the ids of what is there in it. */
const filled = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, kind: string) => ids.get(kind) ?? whole)

/** The attempt as it goes over the wire, as the admin. */
const requestOf = (
  { body, headers, method, target }: Attempt,
  ids: ReadonlyMap<string, string>
): RawRequest => ({
  method,
  path: filled(target, ids),
  headers: {
    "x-api-key": keys.admin,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, ids)]))
  },
  ...(body === undefined ? {} : { body: typeof body === "string" ? filled(body, ids) : body })
})

/** True when a body is one of the general envelope, which is what the door and the unknown route answer with. */
const isEnvelope = (body: unknown, codes: RegExp): boolean =>
  typeof body === "object" &&
  body !== null &&
  "code" in body &&
  codes.test(String(body.code)) &&
  "error" in body &&
  typeof body.error === "string"

/** What the door answers by itself, whatever the route. */
const doorCodes: Readonly<Record<number, RegExp>> = {
  413: /^PAYLOAD_TOO_LARGE$/,
  415: /^UNSUPPORTED_MEDIA_TYPE$/,
  431: /^VALIDATION_ERROR$/
}

/** What is wrong with an answer; undefined when nothing is. */
const fault = ({ astray, method, route: name }: Attempt, answer: RawAnswer): string | undefined => {
  const route = routes.find((known) => known.name === name)
  if (route === undefined) return "there is no such route"
  const { status, text } = answer
  const mediaType = String(answer.headers["content-type"] ?? "").split(";")[0] ?? ""
  if (status >= 500) return "the server is at fault"
  if (method === "HEAD") return text === "" ? undefined : "an answer to HEAD has a body"
  const body = parsed(text)
  if (doorCodes[status]?.test("") === false) {
    return isEnvelope(body, doorCodes[status]) ? undefined : "this is no envelope of the door"
  }
  if (status === 400 && /\breadonly |<->|ReadonlyArray/.test(text)) return "an issue spells out a type"
  if (status < 400 && text !== "" && mediaType !== "application/json") {
    return astray || isDocumented(route, status, mediaType) ? undefined : `${mediaType} is not documented`
  }
  if (!astray) return problemOf(route, { status, body })
  return status < 400 || isEnvelope(body, /^[A-Z_]+$/) || Object.hasOwn(Object(body), "code")
    ? undefined
    : "a refusal comes without an envelope"
}

describe("the service", () => {
  it.scopedLive(
    `is up to ${runs} requests of every kind (seed ${seed})`,
    () =>
      Effect.gen(function* () {
        const { baseUrl, request } = yield* World
        const storage = yield* Storage
        const runtime = yield* Effect.runtime<RunJournals | Storage | World>()
        const send = yield* rawSender(baseUrl)
        const statuses = new Map<number, number>()
        let ids = yield* furnish
        for (const kind of ["attempt", "artifact", "finding", "reservation"]) {
          assert.notStrictEqual(ids.get(kind), "none", kind)
        }
        let sent = 0

        const attempt = (tried: Attempt) =>
          Effect.gen(function* () {
            if (sent++ % period === 0) {
              const [taskId, attemptId] = [ids.get("task"), ids.get("attempt")]
              yield* request("POST", `/api/agents/${taskId}/stop`, { as: "admin", body: { attemptId } })
              ids = yield* furnish
            }
            const before = yield* storage.read(Outbox.head)
            const answer = yield* Effect.either(send(requestOf(tried, ids)))
            // A body that is refused unread is cut off while it is being sent; the sender may see that first.
            if (Either.isLeft(answer)) {
              return (tried.body?.length ?? 0) > 1_000_000 ? undefined : String(answer.left)
            }
            const { status } = answer.right
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            const wrong = fault(tried, answer.right)
            if (wrong !== undefined) return `${wrong}: ${status} ${answer.right.text.slice(0, 2_000)}`
            if (status < 400) return undefined
            const head = yield* storage.read(Outbox.head)
            const since = yield* storage.read(Outbox.between(before, head, 100))
            // What the service does by itself may fall into the same moment: a lease lapses.
            const happened = since.flatMap(({ actor, kind }) => (actor === "system" ? [] : kind))
            return happened.length > 0 ? `${status}, and yet ${happened.join(", ")} happened` : undefined
          })

        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(attempts, (tried) =>
              Runtime.runPromise(runtime)(attempt(tried)).then((wrong) => {
                if (wrong !== undefined) throw new Error(`${tried.method} ${tried.target}\n${wrong}`)
              })
            ),
            { seed, numRuns: runs, endOnFailure: FUZZ_RUNS === undefined }
          )
        )

        assert.notProperty({}, "polluted")
        assert.strictEqual((yield* request("GET", "/health/ready")).status, 200)
        // The writer's word counts: a reader may hold an older map of the index of words, and takes the new for damage.
        assert.deepStrictEqual(yield* storage.write(firstRow((sql) => sql`PRAGMA integrity_check`)), {
          integrity_check: "ok"
        })
        // The requests are not all of one kind: many get through, many are refused, at the door and behind it.
        for (const status of [200, 201, 204, 400, 404, 409, 413, 415]) {
          assert.isAbove(statuses.get(status) ?? 0, 0, `no answer was ${status}: ${[...statuses].join(" ")}`)
        }
        assert.isAbove((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0), runs / 5)
      }).pipe(Effect.provide(world())),
    60_000 + runs * 20
  )
})
