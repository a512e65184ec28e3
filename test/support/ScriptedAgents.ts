import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask } from "./Board.ts"
import { start } from "./Runs.ts"
import { temporaryDirectory, World } from "./World.ts"

/** Lets the service run agents that are shell scripts in a directory, by the type that they have. */
export const configureScriptsIn = (directory: string, scripts: Readonly<Record<string, string>>) =>
  Effect.suspend(() => {
    const agents = Object.entries(scripts).map(([type, script]) => {
      const command = join(directory, type)
      writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      return { type, name: type, provider: "command", enabled: true, command }
    })
    return ask("PUT", "/api/config/agents", { as: "admin", body: { agents } })
  })

/** The same in a directory that is gone when the test is over; gives that directory. */
export const configureScripts = (scripts: Readonly<Record<string, string>>) =>
  Effect.tap(temporaryDirectory, (directory) => configureScriptsIn(directory, scripts))

/** An attempt and its task. */
export interface BegunAttempt {
  readonly taskId: string
  readonly attemptId: string
}

/** Starts an agent on a task of its own. */
export const beginScript = (agent: string, fields: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const { id } = yield* createTask(fields)
    const { body, status } = yield* start(id, { agent })
    assert.strictEqual(status, 201, JSON.stringify(body))
    const begun: BegunAttempt = { taskId: id, attemptId: body.attemptId }
    return begun
  })

/** Waits for something that another process does. */
export const until = <A, R>(look: Effect.Effect<A, never, R>, holds: (found: A) => boolean) =>
  Effect.repeat(Effect.delay(look, "10 millis"), { until: holds }).pipe(
    Effect.timeout("30 seconds"),
    Effect.orDie
  )

/** The status of the last attempt at a task, once it is over. */
export const endOf = (taskId: string) =>
  Effect.flatMap(World, () =>
    until(
      ask("GET", `/api/agents/${taskId}/status`),
      ({ status }) => status !== "running" && status !== "queued"
    )
  )
