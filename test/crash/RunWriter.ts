import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Effect, Exit, Random } from "effect"
import { ask } from "../support/Board.ts"
import { registerCodex } from "../support/Runs.ts"
import { configureScriptsIn } from "../support/ScriptedAgents.ts"
import { type Answer, type RequestOptions, send } from "../support/World.ts"

/** So many runs there is room for at once: the rest waits. */
export const roomFor = 5

/** What the agents do, as scripts: each first writes down that it was started. */
const agents = {
  brief: `cat >/dev/null; echo '{"type":"message","text":"On it"}'; echo '{"type":"tokens","inputTokens":1,"outputTokens":1}'`,
  failing: "cat >/dev/null; exit 3",
  sleeping: "exec sleep 600",
  straying: "setsid sleep 600 & sleep 0.05",
  wordy: 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo "line $i"; done'
}

/** Furnishes a board with agents that it starts itself and with one that works elsewhere, and with little room. */
export const furnishRuns = (place: string) =>
  Effect.gen(function* () {
    const scripts = Object.entries(agents).map(([type, script]) => [
      type,
      `echo "$MUSTER_ATTEMPT_ID" >> ${startsIn(place)}; ${script}`
    ])
    yield* configureScriptsIn(place, Object.fromEntries(scripts))
    yield* registerCodex
    yield* ask("PATCH", "/api/settings/features", {
      as: "admin",
      body: {
        admission: {
          limits: { workspace: { runs: roomFor } },
          // A crashed server takes no capacity back from those who work elsewhere.
          queue: { leaseMs: 86_400_000, maxEntries: 500 }
        }
      }
    })
  })

const startsIn = (place: string): string => join(place, "starts")

/** The agents wrote down who they were started for: nobody twice. */
export const assertStartedOnce = (place: string): void => {
  const file = startsIn(place)
  const started = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []
  const twice = started.filter((id, index) => started.indexOf(id) !== index)
  assert.deepStrictEqual(twice, [], "attempts whose agent was started twice")
}

type Kind = "start" | "complete" | "stop" | "cancel" | "tokens"

/** A call about a run, as it can be sent again after a crash. */
interface Call {
  readonly kind: Kind
  readonly taskId: string
  readonly path: string
  readonly options: RequestOptions
  /** The attempt that it is about, or the entry of the queue that is cancelled. */
  readonly about: string
}

/** A call that did what it says, with its answer. */
interface Acknowledged {
  readonly call: Call
  readonly answer: Readonly<Record<string, unknown>>
}

/** Somebody who starts runs on tasks of its own and does things to them, and what it was told. */
export interface RunWriter {
  readonly name: string
  readonly tasks: Set<string>
  readonly acknowledged: Array<Acknowledged>
  /** How many tokens were reported of each attempt: acknowledged, and sent at the most. */
  readonly tokens: Map<string, { readonly least: number; readonly most: number }>
  /** The call that the crash left without an answer. */
  unanswered: Call | undefined
}

export const makeRunWriter = (name: string): RunWriter => ({
  name,
  tasks: new Set(),
  acknowledged: [],
  tokens: new Map(),
  unanswered: undefined
})

/** So many tasks has a writer: more than there is room for, so that some wait. */
const taskLimit = 6

const pick = <A>(all: readonly [A, ...Array<A>]) =>
  Effect.map(Random.nextIntBetween(0, all.length), (index) => all[index] ?? all[0])

/** Sends a call; undefined when the server died before it answered. */
const sent = (baseUrl: string, method: string, path: string, options?: RequestOptions) =>
  Effect.map(Effect.exit(send(baseUrl, method, path, options)), (exit): Answer | undefined =>
    Exit.isSuccess(exit) ? exit.value : undefined
  )

const aTask = (writer: RunWriter, baseUrl: string) =>
  Effect.gen(function* () {
    if (writer.tasks.size < taskLimit) {
      const id = `${writer.name}-${randomUUID()}`
      const made = yield* sent(baseUrl, "POST", "/api/tasks", { body: { id, title: "Run" } })
      if (made === undefined) return undefined
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      writer.tasks.add(id)
      return id
    }
    const [first = "", ...rest] = writer.tasks
    return yield* pick([first, ...rest])
  })

const started = (taskId: string, agent: string): Call => ({
  kind: "start",
  taskId,
  about: taskId,
  path: `/api/agents/${taskId}/start`,
  options: { body: { agent }, headers: { "x-idempotency-key": randomUUID() } }
})

/** Decides what is done to a run that stands so; undefined leaves it alone. */
const callOn = (taskId: string, status: Answer["body"]) =>
  Effect.gen(function* () {
    const { attemptId, provider, providerRuntimeManifest, queueId, running } = status
    const stop: Call = {
      kind: "stop",
      taskId,
      about: attemptId,
      path: `/api/agents/${taskId}/stop`,
      options: { body: { attemptId } }
    }
    if (running && provider === "gateway") {
      const tokens: Call = {
        ...stop,
        kind: "tokens",
        path: `/api/agents/${taskId}/tokens`,
        options: { body: { attemptId, usage: { inputTokens: 1, outputTokens: 0 } } }
      }
      const claims = {
        ...(yield* pick<object>([{ success: true }, { success: false }, { status: "blocked" }])),
        summary: randomUUID()
      }
      const complete: Call = {
        ...stop,
        kind: "complete",
        path: `/api/agents/${taskId}/complete`,
        options: {
          body: { attemptId, providerRuntimeManifestDigest: providerRuntimeManifest.digest, ...claims }
        }
      }
      return yield* pick([tokens, tokens, complete, complete, stop])
    }
    if (running) return yield* pick([stop, undefined])
    if (status.status !== "queued") {
      return started(taskId, yield* pick([...agentTypes, "codex", "codex"]))
    }
    const cancel: Call = {
      kind: "cancel",
      taskId,
      about: queueId,
      path: `/api/admission/queue/${queueId}/cancel`,
      options: { as: "admin", body: {} }
    }
    return yield* pick([cancel, stop, undefined, undefined, undefined])
  })

const agentTypes = ["brief", "failing", "sleeping", "straying", "wordy"] as const satisfies ReadonlyArray<
  keyof typeof agents
>

/** Whether the service goes on with a task by itself, when nobody else does. */
const isLeftAlone = ({ agent, status }: Answer["body"]): boolean =>
  agent !== "sleeping" && agent !== "codex" && (status === "failed" || status === "interrupted")

/** Does one thing after another to runs until the server is gone. */
export const runUntilDeath = (writer: RunWriter, baseUrl: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (;;) {
      const taskId = yield* aTask(writer, baseUrl)
      if (taskId === undefined) return
      const status = yield* sent(baseUrl, "GET", `/api/agents/${taskId}/status`)
      if (status === undefined) return
      if (isLeftAlone(status.body) && (yield* Random.nextBoolean)) {
        writer.tasks.delete(taskId)
        continue
      }
      const call = yield* callOn(taskId, status.body)
      if (call === undefined) continue
      writer.unanswered = call
      if (call.kind === "tokens") count(writer, call, { least: 0, most: 1 })
      const answer = yield* sent(baseUrl, "POST", call.path, call.options)
      if (answer === undefined) return
      writer.unanswered = undefined
      acknowledge(writer, call, answer)
    }
  })

const count = ({ tokens }: RunWriter, { about }: Call, more: { least: number; most: number }): void => {
  const { least, most } = tokens.get(about) ?? { least: 0, most: 0 }
  tokens.set(about, { least: least + more.least, most: most + more.most })
}

/** What was done is kept; a run may have come to its end, or begun, since it was looked at, and then nothing was done. */
const acknowledge = (writer: RunWriter, call: Call, { body, status }: Answer): void => {
  if (status === 409) {
    assert.notStrictEqual(call.kind, "complete", `only its writer ends it: ${JSON.stringify(body)}`)
    return
  }
  assert.isBelow(status, 300, `${call.kind}: ${JSON.stringify(body)}`)
  if (call.kind === "tokens") count(writer, call, { least: 1, most: 0 })
  else writer.acknowledged.push({ call, answer: body })
}

/** Sends what was acknowledged once more: it has the same answer, and nothing happens again. */
const sendAgain = ({ answer, call }: Acknowledged, baseUrl: string) =>
  Effect.gen(function* () {
    const again = yield* send(baseUrl, "POST", call.path, call.options)
    const text = `${call.kind} ${call.about}: ${JSON.stringify(again.body)}`
    switch (call.kind) {
      case "start":
        assert.deepStrictEqual([again.status, again.body], [201, answer], text)
        return
      case "stop":
        assert.deepStrictEqual([again.status, again.body], [200, answer], text)
        return
      case "complete": {
        assert.strictEqual(again.status, 200, text)
        assert.deepStrictEqual(again.body.completionResult, answer["completionResult"], text)
        const { body } = call.options
        const other = { ...call.options, body: Object.assign({}, body, { summary: "Something else" }) }
        assert.strictEqual((yield* send(baseUrl, "POST", call.path, other)).status, 409, text)
        return
      }
      case "cancel": {
        assert.strictEqual(again.status, 409, text)
        const entry = yield* send(baseUrl, "GET", `/api/admission/queue/${call.about}`)
        assert.deepInclude(entry.body.eligibility, { reason: "ended", outcome: "cancelled" }, text)
        return
      }
      case "tokens":
        return
    }
  })

/** How many of its acknowledged calls a writer sends again after each crash. */
const replayLimit = 25

/**
 * Looks for everything that the writer was told. What was acknowledged is answered again as it was; what was not is sent
 * again, and is then done once: the file shows that no key has two effects.
 */
export const findRuns = (writer: RunWriter, baseUrl: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { unanswered } = writer
    writer.unanswered = undefined
    if (unanswered !== undefined && unanswered.kind !== "tokens") {
      const answer = yield* send(baseUrl, "POST", unanswered.path, unanswered.options)
      acknowledge(writer, unanswered, answer)
    }
    const shuffled = yield* Random.shuffle(writer.acknowledged)
    yield* Effect.forEach([...shuffled].slice(0, replayLimit), (one) => sendAgain(one, baseUrl), {
      concurrency: 4,
      discard: true
    })
    for (const taskId of writer.tasks) {
      const { body } = yield* send(baseUrl, "GET", `/api/agents/${taskId}/status`)
      const told = writer.tokens.get(body.attemptId)
      if (told === undefined) continue
      const found = body.usage[0]?.inputTokens ?? 0
      assert.isTrue(found >= told.least && found <= told.most, `${body.attemptId}: ${found} tokens`)
    }
  })
