import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer, Logger } from "effect"
import { makeLines } from "../../../src/kernel/process/Lines.ts"
import { errorReader, type OutputReader, outputReader } from "../../../src/runs/adapters/AgentOutput.ts"
import type { Fact } from "../../../src/runs/adapters/facts/Fact.ts"
import { lineLimit } from "../../../src/runs/adapters/facts/StructuredLine.ts"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import { ask, createTask } from "../../support/Board.ts"
import { launched } from "../../support/Journals.ts"
import { listen } from "../../support/Socket.ts"
import { World, world } from "../../support/World.ts"

const secret = "ghp_Zk3vT9qLm2XwR7sYb4Nc8Hd6Jf1Gp5Vt0Aae"

/** A part of the secret that is of use to a thief. */
const parts = Arr.makeBy(secret.length - 15, (at) => secret.slice(at, at + 16))
const holdsPart = (text: string): boolean => parts.some((part) => text.includes(part))

/** What a reader makes of an output that comes in these chunks, with a pause between them. */
const factsOf = (reader: OutputReader, chunks: ReadonlyArray<string>): ReadonlyArray<Fact> => {
  const lines = makeLines(lineLimit)
  return [
    ...chunks.flatMap((chunk) => [...reader.read(lines.push(Buffer.from(chunk))), ...reader.pause()]),
    ...reader.read(lines.end()),
    ...reader.end()
  ]
}

const delta = (text: string): string => `${JSON.stringify({ type: "message", text, delta: true })}\n`

const filler = "so much to say ".repeat(1_200)

/** The ways in which a secret that is cut at a place may leave an agent. */
const outputsCutAt = (at: number): ReadonlyArray<ReadonlyArray<Fact>> => {
  const [head, rest] = [secret.slice(0, at), secret.slice(at)]
  return [
    factsOf(outputReader(undefined), [`use ${head}`, `${rest} here\n`]),
    factsOf(errorReader(), [`use ${head}`, `${rest} here\n`]),
    factsOf(outputReader(undefined), [delta(`use ${head}`), delta(`${rest} here`)]),
    factsOf(outputReader(undefined), [`{"type":"tool_result","id":"1","output":"${head}`, `${rest}"}\n`]),
    factsOf(outputReader(undefined), [`${filler}${head}`, `${rest} ${filler}\n`])
  ]
}

const filesBelow = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())

describe("a secret that an agent says in two pieces", () => {
  it.scopedLive("is in no event, artifact, message, file or log, wherever it is cut", () => {
    const logged: Array<string> = []
    const log = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => logged.push(JSON.stringify(message)))
    )
    return Effect.gen(function* () {
      const { baseUrl, directory, request } = yield* World
      const { append } = yield* RunJournals
      const { id: taskId } = yield* createTask()
      const attemptId = yield* launched(taskId)
      const listener = yield* listen(baseUrl)
      yield* listener.send({ type: "subscribe", taskId })
      const facts = Arr.range(1, secret.length - 1).flatMap((at) => outputsCutAt(at).flat())
      const last = yield* append(attemptId, facts)

      let artifacts = 0
      for (let cursor = 0; cursor < last; ) {
        const page = yield* ask(
          "GET",
          `/api/agents/${taskId}/attempts/${attemptId}/events?afterSequence=${cursor}`
        )
        assert.isFalse(holdsPart(JSON.stringify(page)))
        for (const { payload } of page.events) {
          if (payload?.artifactId === undefined) continue
          artifacts += 1
          const query = `runId=${attemptId}&attemptId=${attemptId}`
          const path = `/api/agents/${taskId}/output-artifacts/${payload.artifactId}`
          assert.isFalse(holdsPart(String((yield* request("GET", `${path}/download?${query}`)).body)))
        }
        cursor = page.nextCursor
      }
      assert.isAtLeast(artifacts, secret.length - 1)

      const told: Array<unknown> = []
      yield* listener.until((message) => {
        told.push(message)
        return message.type === "agent:event" && message.data.sequence === last
      })
      assert.isFalse(holdsPart(JSON.stringify(told)))
      assert.include(JSON.stringify(told), "[REDACTED]")

      for (const path of filesBelow(directory)) assert.isFalse(holdsPart(readFileSync(path, "latin1")), path)
      assert.isFalse(holdsPart(logged.join("\n")))
    }).pipe(Effect.provide(Layer.provideMerge(world(), log)))
  })
})
