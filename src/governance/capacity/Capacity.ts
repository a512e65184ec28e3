import { Schema } from "effect"
import type { Limits, Scope } from "../../board/settings/AdmissionSettings.ts"
import { digestOf } from "../../kernel/Digest.ts"

/** What a run takes: runs, processes, and memory in MiB. */
export const Capacity = Schema.Struct({
  runs: Schema.Int,
  processes: Schema.Int,
  memoryMb: Schema.Int
}).annotations({
  identifier: "AdmissionCapacity"
})
export type Capacity = typeof Capacity.Type

/** What capacity is counted within, widest first. */
export const scopes = ["global", "workspace", "provider", "host"] as const satisfies ReadonlyArray<Scope>
export const AdmissionScope = Schema.Literal(...scopes)

/** A scope that does not let a run through: which kind, and the workspace, provider or host that it is. */
export const LimitingScope = Schema.Struct({ scope: AdmissionScope, scopeId: Schema.String }).annotations({
  identifier: "LimitingScope"
})
export type LimitingScope = typeof LimitingScope.Type

/** Where a run counts. */
export interface Place {
  readonly workspaceId: string
  readonly provider: string
  readonly hostId: string
}

/** Scopes as they are told to those who wait: which host it is stands there as a digest. */
export const concealed = (limiting: ReadonlyArray<LimitingScope>): ReadonlyArray<LimitingScope> =>
  limiting.map(({ scope, scopeId }) => ({ scope, scopeId: scope === "host" ? digestOf(scopeId) : scopeId }))

/** A run that asks for capacity, or all those together that have some in the same place. */
export interface Demand extends Place {
  readonly capacity: Capacity
}

/** The one that a run counts within, of each scope. */
const idWithin = (scope: Scope, place: Place): string => {
  switch (scope) {
    case "global":
      return "global"
    case "workspace":
      return place.workspaceId
    case "provider":
      return place.provider
    case "host":
      return place.hostId
  }
}

const keyOf = (scope: Scope, place: Place): string => `${scope}:${idWithin(scope, place)}`

const named = (scope: Scope, place: Place): LimitingScope => ({ scope, scopeId: idWithin(scope, place) })

/** What is taken, by the scope that it counts within. */
export type Usage = ReadonlyMap<string, Capacity>

const nothing: Capacity = { runs: 0, processes: 0, memoryMb: 0 }

/** What is taken when this is, too. */
export const withTaken = (usage: Usage, demands: ReadonlyArray<Demand>): Usage => {
  const after = new Map(usage)
  for (const demand of demands) {
    for (const scope of scopes) {
      const key = keyOf(scope, demand)
      after.set(key, sum(after.get(key) ?? nothing, demand.capacity))
    }
  }
  return after
}

/** What is taken by those who have capacity. */
export const usageOf = (demands: ReadonlyArray<Demand>): Usage => withTaken(new Map(), demands)

const sum = (one: Capacity, other: Capacity): Capacity => ({
  runs: one.runs + other.runs,
  processes: one.processes + other.processes,
  memoryMb: one.memoryMb + other.memoryMb
})

/** What asks for nothing of a measure is not held up by it, even when others have taken too much. */
const exceeds = (limit: number | null, taken: number, asked: number): boolean =>
  limit !== null && asked > 0 && taken + asked > limit

/** The scopes that have no room for a run beside what is taken, all of them; none when it fits. */
export const fits = (limits: Limits, usage: Usage, demand: Demand): ReadonlyArray<LimitingScope> =>
  scopes
    .filter((scope) => {
      const most = limits[scope]
      if (most.runs === null && most.processes === null && most.memoryMb === null) return false
      const taken = usage.get(keyOf(scope, demand)) ?? nothing
      const { memoryMb, processes, runs } = demand.capacity
      return (
        exceeds(most.runs, taken.runs, runs) ||
        exceeds(most.processes, taken.processes, processes) ||
        exceeds(most.memoryMb, taken.memoryMb, memoryMb)
      )
    })
    .map((scope) => named(scope, demand))

/** The scopes that will never have room for a run, whatever ends: it asks for more than there is. None is good news. */
export const neverFits = (limits: Limits, demand: Demand): ReadonlyArray<LimitingScope> =>
  fits(limits, new Map(), demand)

/** A limit that was looked at when a run was let in: what was taken before it, and the most that may be. */
export const EvaluatedPolicy = Schema.Struct({
  ...LimitingScope.fields,
  taken: Capacity,
  limits: Schema.Struct({
    runs: Schema.NullOr(Schema.Int),
    processes: Schema.NullOr(Schema.Int),
    memoryMb: Schema.NullOr(Schema.Int)
  })
}).annotations({ identifier: "EvaluatedPolicy" })
export type EvaluatedPolicy = typeof EvaluatedPolicy.Type

/** The limits that a run is held against, and how far they are used. */
export const evaluated = (limits: Limits, usage: Usage, demand: Demand): ReadonlyArray<EvaluatedPolicy> =>
  scopes.map((scope) => ({
    ...named(scope, demand),
    taken: usage.get(keyOf(scope, demand)) ?? nothing,
    limits: limits[scope]
  }))

/** Whether two lists of scopes have one in common. */
export const share = (some: ReadonlyArray<LimitingScope>, demand: Demand): boolean =>
  some.some(({ scope, scopeId }) => idWithin(scope, demand) === scopeId)
