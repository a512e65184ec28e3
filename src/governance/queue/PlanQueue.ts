import { Effect } from "effect"
import type { AdmissionSettings } from "../../board/settings/AdmissionSettings.ts"
import { admission } from "../../board/settings/Units.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { taken } from "../admission/Units.ts"
import { LaunchSource } from "../capacity/AdmissionRequest.ts"
import { type Usage, usageOf } from "../capacity/Capacity.ts"
import { type Order, type Plan, plan, type Waiting } from "../capacity/Schedule.ts"
import * as EntryRepo from "./EntryRepo.ts"

/** What is decided by: the limits in force, what is taken, and the order of those who wait. */
export interface Situation {
  readonly settings: AdmissionSettings
  readonly usage: Usage
  readonly order: Order
}

const nothing = { runs: null, processes: null, memoryMb: null }

/** The limits in force; none while admission is off. */
export const limitsOf = ({ enabled, limits }: AdmissionSettings): AdmissionSettings["limits"] =>
  enabled ? limits : { global: nothing, workspace: nothing, provider: nothing, host: nothing }

/** How things are, in a unit of work. */
export const situation: Effect.Effect<Situation, never, Sql> = Effect.gen(function* () {
  const settings = yield* admission
  const usage = usageOf(yield* taken)
  const order = {
    at: yield* now,
    scheduler: settings.queue.scheduler,
    turns: yield* EntryRepo.turns
  }
  return { settings, usage, order }
})

/** What becomes of all who wait, of these sources and with these besides, as things are. */
export const planQueue = (
  { order, settings, usage }: Situation,
  {
    besides = [],
    sources = LaunchSource.literals
  }: { readonly besides?: ReadonlyArray<Waiting>; readonly sources?: ReadonlyArray<LaunchSource> } = {}
): Effect.Effect<Plan<Waiting>, never, Sql> =>
  Effect.map(EntryRepo.window(sources, order.at, order.scheduler), (window) =>
    plan(limitsOf(settings), usage, [...window, ...besides], order)
  )
