import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Exit, Random } from "effect"
import { TaskStatus } from "../../src/board/tasks/Task.ts"
import { etagOf, moveBody } from "../support/Board.ts"
import { type Answer, type RequestOptions, send } from "../support/World.ts"

/** A task as the server answered it. */
interface Task {
  readonly id: string
  readonly revision: number
  readonly status: string
  readonly position: number
  readonly [field: string]: unknown
}

/** A write, as it can be sent again after a crash. */
interface Write {
  readonly path: string
  readonly method: string
  readonly options: RequestOptions
}

/** A move that was acknowledged, and with what. */
export interface AcknowledgedMove {
  readonly write: Write
  readonly answer: Readonly<Record<string, unknown>>
}

/** What a writer was told: the only things that a crash must not take back. */
export interface Writer {
  readonly name: string
  /** Its tasks as they were last acknowledged. Nobody else writes them. */
  readonly tasks: Map<string, Task>
  readonly moves: Array<AcknowledgedMove>
  /** The write that the crash left without an answer. */
  unanswered: (Write & { readonly kind: Kind; readonly id: string }) | undefined
  acknowledged: number
}

export const makeWriter = (name: string): Writer => ({
  name,
  tasks: new Map(),
  moves: [],
  unanswered: undefined,
  acknowledged: 0
})

type Kind = "create" | "patch" | "comment" | "move"

/** So many tasks has a writer at the most: the columns stay short and the changes many. */
const taskLimit = 15

/** Sends a request; undefined when the server died before it answered. */
const attempt = (baseUrl: string, { method, options, path }: Write): Effect.Effect<Answer | undefined> =>
  Effect.map(Effect.exit(send(baseUrl, method, path, options)), (exit) =>
    Exit.isSuccess(exit) ? exit.value : undefined
  )

const pick = <A>(all: ReadonlyArray<A>) =>
  Effect.flatMap(Random.nextIntBetween(0, all.length), (index) => {
    const found = all[index]
    return found === undefined ? Effect.dieMessage("Nothing to pick from") : Effect.succeed(found)
  })

const statusOf = pick(TaskStatus.literals)

/** Decides what to write next. */
const next = (writer: Writer, baseUrl: string) =>
  Effect.gen(function* () {
    const known = [...writer.tasks.values()]
    const kind: Kind =
      known.length === 0
        ? "create"
        : yield* pick(known.length < taskLimit ? (["create", ...changes] as const) : changes)
    if (kind === "create") {
      const id = `${writer.name}-${randomUUID()}`
      const body = { id, title: randomUUID(), status: yield* statusOf }
      return { kind, id, method: "POST", path: "/api/tasks", options: { body } }
    }
    const task = yield* pick(known)
    const headers = { "if-match": etagOf(task) }
    const path = `/api/tasks/${task.id}`
    switch (kind) {
      case "patch": {
        const body = {
          description: randomUUID(),
          ...((yield* Random.nextBoolean) ? { status: yield* statusOf } : {})
        }
        return { kind, id: task.id, method: "PATCH", path, options: { body, headers } }
      }
      case "comment":
        return {
          kind,
          id: task.id,
          method: "POST",
          path: `${path}/comments`,
          options: { body: { text: randomUUID() }, headers }
        }
      case "move": {
        const now = yield* attempt(baseUrl, { method: "GET", path, options: {} })
        if (now === undefined) return undefined
        const body = moveBody(now.body, yield* statusOf, yield* Random.nextIntBetween(0, 20))
        return { kind, id: task.id, method: "POST", path: `${path}/move`, options: { body, headers } }
      }
    }
  })

const changes = ["patch", "patch", "comment", "move", "move"] as const

/** Writes one thing after another until the server is gone. */
export const writeUntilDeath = (writer: Writer, baseUrl: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (;;) {
      const write = yield* next(writer, baseUrl)
      if (write === undefined) return
      writer.unanswered = write
      const answer = yield* attempt(baseUrl, write)
      if (answer === undefined) return
      writer.unanswered = undefined
      acknowledge(writer, write, answer)
    }
  })

const acknowledge = (writer: Writer, write: NonNullable<Writer["unanswered"]>, answer: Answer): void => {
  // Others may have shifted the column since the position was read; nothing else can refuse these writes.
  if (write.kind === "move" && answer.status === 409) return
  assert.isBelow(answer.status, 300, `${write.kind}: ${JSON.stringify(answer.body)}`)
  writer.acknowledged += 1
  writer.tasks.set(write.id, write.kind === "move" ? answer.body.task : answer.body)
  if (write.kind === "move") writer.moves.push({ write, answer: answer.body })
}

const withoutPosition = ({ position: _, ...task }: Task) => task

/**
 * Looks for everything that the writer was told. What was acknowledged is there, as it was answered; what was not may be
 * there or not, and when it is sent again it is there once.
 */
export const findEverything = (writer: Writer, baseUrl: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { unanswered } = writer
    for (const [id, acknowledged] of writer.tasks) {
      const found = yield* send(baseUrl, "GET", `/api/tasks/${id}`)
      assert.strictEqual(found.status, 200, `${id} was acknowledged and is gone`)
      if (unanswered?.id === id && found.body.revision === acknowledged.revision + 1) {
        writer.tasks.set(id, found.body)
      } else {
        assert.deepStrictEqual(withoutPosition(found.body), withoutPosition(acknowledged))
      }
    }
    if (unanswered !== undefined) yield* settle(writer, unanswered, baseUrl)
    writer.unanswered = undefined
  })

const settle = (writer: Writer, write: NonNullable<Writer["unanswered"]>, baseUrl: string) =>
  Effect.gen(function* () {
    const again = yield* send(baseUrl, write.method, write.path, write.options)
    const found = yield* send(baseUrl, "GET", `/api/tasks/${write.id}`)
    const before = writer.tasks.get(write.id)?.revision ?? 0
    // Done before the crash or not, the second time is a success, a replay or a conflict: never a second effect.
    assert.include([200, 201, 409], again.status, JSON.stringify(again.body))
    assert.isAtMost(found.body.revision - before, 1)
    writer.tasks.set(write.id, found.body)
  })

/** Sends moves that were acknowledged once more: each answers what it answered then. */
export const replayMoves = (moves: ReadonlyArray<AcknowledgedMove>, baseUrl: string): Effect.Effect<void> =>
  Effect.forEach(
    moves,
    ({ answer, write }) =>
      Effect.map(send(baseUrl, write.method, write.path, write.options), (again) => {
        assert.strictEqual(again.status, 200)
        assert.strictEqual(JSON.stringify(again.body), JSON.stringify({ ...answer, replayed: true }))
      }),
    { discard: true, concurrency: 8 }
  )
