import { Schema } from "effect"
import { integer, strict } from "../../kernel/Text.ts"
import { change, changed, setting } from "./Chosen.ts"

/*
 * How much may run at once, how the rest waits, and when a tree of runs has grown too wide (spec 3-runs, Admission;
 * README, rulings 46 and 47).
 */

/** A day in milliseconds: nothing of this is longer. */
const day = 86_400_000

const aLimit = Schema.NullOr(integer(0, 1_000_000_000)).annotations({
  description: "null is no limit, 0 lets nothing through"
})
const aCount = integer(0, 1_000_000)
const aDelay = integer(0, day)
const aPeriod = integer(1, day)
const aShare = integer(1, 100)

const noLimits = { runs: null, processes: null, memoryMb: null } as const

/** The settings that hold until somebody chooses others: ten runs at once in a workspace, and no other limit. */
const standard = {
  enabled: true,
  limits: { global: noLimits, workspace: { ...noLimits, runs: 10 }, provider: noLimits, host: noLimits },
  queue: {
    enabled: true,
    maxEntries: 200,
    retryAfterMs: 5_000,
    leaseMs: 60_000,
    scheduler: { agePromotionMs: 300_000, maxPromotions: 3 }
  },
  fanOutBreaker: {
    maxDescendants: 256,
    maxDepth: 16,
    maxActiveReservations: 64,
    maxQueuedDescendants: 64,
    pressurePercent: 95,
    pressureMinDescendants: 8
  }
}

/** The most that may be taken at once within one scope: runs, processes, and memory in MiB. */
const scopeLimits = (unless: { readonly runs: number | null }) =>
  Schema.Struct({
    runs: setting(aLimit, unless.runs),
    processes: setting(aLimit, null),
    memoryMb: setting(aLimit, null)
  })
export type ScopeLimits = ReturnType<typeof scopeLimits>["Type"]

const Limits = Schema.Struct({
  global: setting(scopeLimits(noLimits), noLimits),
  workspace: setting(scopeLimits(standard.limits.workspace), standard.limits.workspace),
  provider: setting(scopeLimits(noLimits), noLimits),
  host: setting(scopeLimits(noLimits), noLimits)
})
/** The limits by what they are counted within: the whole board, each workspace, each provider, each host. */
export type Limits = typeof Limits.Type
export type Scope = keyof Limits

const { fanOutBreaker, queue } = standard
const { scheduler } = queue

const Scheduler = Schema.Struct({
  agePromotionMs: setting(aPeriod, scheduler.agePromotionMs),
  maxPromotions: setting(aCount, scheduler.maxPromotions)
})
/** Who has waited for so many milliseconds moves up by a priority, so many times. */
export type SchedulerSettings = typeof Scheduler.Type

const Queue = Schema.Struct({
  enabled: setting(Schema.Boolean, queue.enabled),
  maxEntries: setting(aCount, queue.maxEntries),
  retryAfterMs: setting(aDelay, queue.retryAfterMs),
  leaseMs: setting(aPeriod, queue.leaseMs),
  scheduler: setting(Scheduler, scheduler)
})

const FanOutBreaker = Schema.Struct({
  maxDescendants: setting(aCount, fanOutBreaker.maxDescendants),
  maxDepth: setting(aCount, fanOutBreaker.maxDepth),
  maxActiveReservations: setting(aCount, fanOutBreaker.maxActiveReservations),
  maxQueuedDescendants: setting(aCount, fanOutBreaker.maxQueuedDescendants),
  pressurePercent: setting(aShare, fanOutBreaker.pressurePercent),
  pressureMinDescendants: setting(aCount, fanOutBreaker.pressureMinDescendants)
})

/** The settings as they are stored; what does not stand there is at its default. */
export const StoredAdmission = Schema.Struct({
  enabled: setting(Schema.Boolean, standard.enabled),
  limits: setting(Limits, standard.limits),
  queue: setting(Queue, queue),
  fanOutBreaker: setting(FanOutBreaker, fanOutBreaker)
})

/** The settings in force. */
export const AdmissionSettings = Schema.typeSchema(StoredAdmission).annotations({
  identifier: "AdmissionSettings"
})
export type AdmissionSettings = typeof AdmissionSettings.Type

export const defaultAdmission: AdmissionSettings = standard

const LimitsChange = Schema.Struct({
  runs: change(aLimit),
  processes: change(aLimit),
  memoryMb: change(aLimit)
}).annotations(strict)

/** A change of the settings: what it names changes, null clears; an unknown name is refused. */
export const AdmissionPatch = Schema.Struct({
  enabled: change(Schema.Boolean),
  limits: change(
    Schema.Struct({
      global: change(LimitsChange),
      workspace: change(LimitsChange),
      provider: change(LimitsChange),
      host: change(LimitsChange)
    }).annotations(strict)
  ),
  queue: change(
    Schema.Struct({
      enabled: change(Schema.Boolean),
      maxEntries: change(aCount),
      retryAfterMs: change(aDelay),
      leaseMs: change(aPeriod),
      scheduler: change(
        Schema.Struct({ agePromotionMs: change(aPeriod), maxPromotions: change(aCount) }).annotations(strict)
      )
    }).annotations(strict)
  ),
  fanOutBreaker: change(
    Schema.Struct({
      maxDescendants: change(aCount),
      maxDepth: change(aCount),
      maxActiveReservations: change(aCount),
      maxQueuedDescendants: change(aCount),
      pressurePercent: change(aShare),
      pressureMinDescendants: change(aCount)
    }).annotations(strict)
  )
}).annotations({ identifier: "AdmissionPatch", ...strict })
export type AdmissionPatch = typeof AdmissionPatch.Type

/**
 * The settings with a patch applied, part by part. A limit that is cleared is none, and so are those of a scope that is
 * cleared; any other setting goes back to its default.
 */
export const applyAdmissionPatch = (
  before: AdmissionSettings,
  patch: AdmissionPatch | null | undefined
): AdmissionSettings => {
  if (patch === undefined) return before
  if (patch === null) return standard
  const { fanOutBreaker: fanOut, limits, queue: waiting, ...named } = patch
  return {
    ...changed(before, named, standard),
    limits: changedLimits(before.limits, limits),
    queue: changedQueue(before.queue, waiting),
    fanOutBreaker: changed(before.fanOutBreaker, fanOut, standard.fanOutBreaker)
  }
}

const unlimited: Limits = { global: noLimits, workspace: noLimits, provider: noLimits, host: noLimits }

const changedLimits = (before: Limits, patch: AdmissionPatch["limits"]): Limits => {
  if (patch === undefined) return before
  if (patch === null) return unlimited
  return {
    global: changed(before.global, patch.global, noLimits),
    workspace: changed(before.workspace, patch.workspace, noLimits),
    provider: changed(before.provider, patch.provider, noLimits),
    host: changed(before.host, patch.host, noLimits)
  }
}

const changedQueue = (
  before: AdmissionSettings["queue"],
  patch: AdmissionPatch["queue"]
): AdmissionSettings["queue"] => {
  if (patch === undefined) return before
  if (patch === null) return queue
  const { scheduler: order, ...named } = patch
  return {
    ...changed(before, named, queue),
    scheduler: changed(before.scheduler, order, scheduler)
  }
}
