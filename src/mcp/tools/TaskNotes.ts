import { Effect, Schema } from "effect"
import { CheckpointsApi } from "../../board/checkpoints/Api.ts"
import { CheckpointDraft } from "../../board/checkpoints/Checkpoint.ts"
import { DependenciesApi } from "../../board/dependencies/Api.ts"
import { DependencyDraft } from "../../board/dependencies/Dependency.ts"
import { ObservationsApi } from "../../board/observations/Api.ts"
import { TaskObservationDraft } from "../../board/observations/Observation.ts"
import { TaskIdParam } from "../../board/tasks/Task.ts"
import { TimeApi } from "../../board/time/Api.ts"
import { TimeEntryDraft } from "../../board/time/Time.ts"
import { Client } from "../../client/Client.ts"
import { duration } from "../../client/Duration.ts"
import { startTimer, stopTimer } from "../../client/Timer.ts"
import { printableJson } from "../../kernel/Foreign.ts"
import { optional } from "../../kernel/Optional.ts"
import { bounded, MaxChars, wrote } from "../Text.ts"
import { tool } from "../Tool.ts"

/*
 * The tools that keep what belongs to a task: time, observations, checkpoints, dependencies.
 */

/** An argument that is required when another one has a certain value. JSON Schema has no short form for this. */
const due = (isMissing: boolean, argument: string, action: string) =>
  isMissing ? { path: [argument], message: `Expected with the action ${action}` } : undefined
const unsaid = { jsonSchema: {} }

export const trackTime = tool({
  name: "track_time",
  kind: "adds",
  description:
    "Start or stop the timer of a task, or add time that was spent without it (durationMs in milliseconds).",
  input: Schema.Struct({
    id: TaskIdParam,
    action: Schema.Literal("start", "stop", "add"),
    durationMs: optional(TimeEntryDraft.fields.durationMs),
    description: TimeEntryDraft.fields.description
  }).pipe(
    Schema.filter(
      ({ action, durationMs }) => due(action === "add" && durationMs === undefined, "durationMs", "add"),
      unsaid
    )
  ),
  run: ({ action, description, durationMs = 0, id }) =>
    Effect.gen(function* () {
      if (action === "start") return wrote(yield* startTimer(id), "has its timer running")
      if (action === "stop") {
        const task = yield* stopTimer(id)
        return wrote(task, `has its timer stopped at ${duration(task.timeTracking.totalMs)}`)
      }
      const { call } = yield* Client
      const payload = { durationMs, ...(description === undefined ? {} : { description }) }
      const task = yield* call(TimeApi, ({ time }) => time.addEntry({ path: { id }, headers: {}, payload }))
      return wrote(task, `has ${duration(durationMs)} more, ${duration(task.timeTracking.totalMs)} in all`)
    })
})

const observed = TaskObservationDraft.fields

export const addObservation = tool({
  name: "add_observation",
  kind: "adds",
  description:
    "Write down what whoever works on the task next must know. importance: 1 to 3 low, 4 to 7 medium, 8 to 10 high.",
  input: Schema.Struct({
    id: TaskIdParam,
    content: observed.content,
    type: observed.type,
    importance: observed.importance
  }),
  run: ({ id, ...payload }) =>
    Effect.map(
      Effect.flatMap(Client, ({ call }) =>
        call(ObservationsApi, ({ observations }) => observations.createOnTask({ path: { id }, payload }))
      ),
      (observation) =>
        `${observation.id} noted on ${id}: ${observation.type}, importance ${observation.importance}`
    )
})

export const checkpoint = tool({
  name: "checkpoint",
  kind: "removes",
  description:
    "Save where the work on a task has got to (any JSON, in the place of the last one, for 24 hours), resume from it, or clear it.",
  input: Schema.Struct({
    id: TaskIdParam,
    action: Schema.Literal("save", "resume", "clear"),
    state: optional(CheckpointDraft.fields.state),
    maxChars: optional(MaxChars)
  }).pipe(
    Schema.filter(
      ({ action, state }) => due(action === "save" && state === undefined, "state", "save"),
      unsaid
    )
  ),
  run: ({ action, id, maxChars, state }) =>
    Effect.gen(function* () {
      const { call } = yield* Client
      const path = { id }
      if (action === "clear") {
        yield* call(CheckpointsApi, ({ checkpoints }) => checkpoints.remove({ path }))
        return `${id} has no checkpoint any more`
      }
      if (action === "save") {
        const saved = yield* call(CheckpointsApi, ({ checkpoints }) =>
          checkpoints.save({ path, payload: { state } })
        )
        return `${id} has a checkpoint until ${saved.checkpoint.expiresAt}`
      }
      const found = (yield* call(CheckpointsApi, ({ checkpoints }) => checkpoints.resume({ path })))
        .checkpoint
      return bounded(
        [
          `saved ${found.createdAt}, expires ${found.expiresAt}, resumeCount ${found.resumeCount}`,
          printableJson(found.state)
        ],
        maxChars
      )
    })
})

export const dependency = tool({
  name: "dependency",
  kind: "removes",
  description:
    "Add or remove a dependency: id depends on dependsOn, or with direction blocks, id blocks dependsOn.",
  input: Schema.Struct({
    id: TaskIdParam,
    action: Schema.Literal("add", "remove"),
    dependsOn: DependencyDraft.fields.dependsOn,
    direction: DependencyDraft.fields.direction
  }),
  run: ({ action, dependsOn, direction = "depends_on", id }) =>
    Effect.gen(function* () {
      const { call } = yield* Client
      const told = direction === "blocks" ? `${dependsOn} depends on ${id}` : `${id} depends on ${dependsOn}`
      if (action === "add") {
        const payload = { dependsOn, direction }
        yield* call(DependenciesApi, ({ dependencies }) =>
          dependencies.add({ path: { id }, headers: {}, payload })
        )
        return told
      }
      const path = { id, dependencyId: dependsOn }
      yield* call(DependenciesApi, ({ dependencies }) =>
        dependencies.remove({ path, headers: {}, urlParams: { direction } })
      )
      return told.replace(" depends on ", " no longer depends on ")
    })
})
