import { Effect } from "effect"
import type { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import type { Storage } from "../../../src/storage/Storage.ts"
import type { Answer, As, RequestOptions } from "../../support/World.ts"

/** Sends a request to the world of the scenarios. */
export type Ask = (method: string, path: string, options?: RequestOptions) => Effect.Effect<Answer>

/** What a scenario sends to its route. */
export interface Sent {
  /** What stands in the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Text that is sent as it is. */
  readonly raw?: string
  /** Who sends it: the admin, unless it says otherwise. */
  readonly as?: As | null
  /** How many links of the audit chain the request leaves: one when it writes, unless it says otherwise. */
  readonly links?: number
}

/**
 * The life of a route: what was there before, and the request that it then answers. What no request can make, such as
 * the trace of a run, is written into storage.
 */
export type Scenario = (ask: Ask) => Effect.Effect<Sent, never, Storage | RunJournals>

/** A request that needs nothing to be there. */
export const just =
  (sent: Sent = {}): Scenario =>
  () =>
    Effect.succeed(sent)

/** A request about something that was made before. */
export const given =
  <A>(
    seed: (ask: Ask) => Effect.Effect<A, never, Storage | RunJournals>,
    sent: (made: A) => Sent
  ): Scenario =>
  (ask) =>
    Effect.map(seed(ask), sent)

/** Makes something by a POST. */
export const made =
  (path: string, body: object) =>
  (ask: Ask): Effect.Effect<Answer["body"]> =>
    Effect.map(ask("POST", path, { as: "admin", body }), (answer) => answer.body)

/** Makes something at a task that was made before. */
export const madeAt =
  (path: string, body: object) =>
  (ask: Ask): Effect.Effect<Answer["body"]> =>
    Effect.flatMap(aTask(ask), (task) => made(`/api/tasks/${task.id}/${path}`, body)(ask))

/** A task to do something with. */
export const aTask = made("/api/tasks", { title: "Write the docs", agents: ["codex"] })
