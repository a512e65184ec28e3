import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { defaultLimit } from "../../kernel/Paging.ts"
import { iso } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TelemetryDraft, TelemetryEvent } from "./TelemetryEvent.ts"
import {
  exportLimit,
  type TelemetryCount,
  type TelemetryFilter,
  type TelemetrySelection,
  type TelemetryStatus
} from "./TelemetryQuery.ts"
import { record } from "./TelemetryRecord.ts"
import * as TelemetryRepo from "./TelemetryRepo.ts"

/** Events as storage holds them: a JSON document each. */
export type Documents = ReadonlyArray<string>

/** What agents report about their runs. Internal events exist for those who may manage the service, and nobody else. */
export interface TelemetryService {
  readonly record: (draft: TelemetryDraft, by: ActorContext) => Effect.Effect<TelemetryEvent>
  /** Records all events or none of them. */
  readonly recordAll: (
    drafts: ReadonlyArray<TelemetryDraft>,
    by: ActorContext
  ) => Effect.Effect<ReadonlyArray<TelemetryEvent>>
  /** The events that match, newest first. */
  readonly list: (filter: TelemetryFilter, by: ActorContext) => Effect.Effect<Documents>
  readonly count: (selection: TelemetrySelection, by: ActorContext) => Effect.Effect<TelemetryCount>
  readonly status: (by: ActorContext) => Effect.Effect<TelemetryStatus>
  /** The same as the list, page by page up to the limit of an export; what comes in meanwhile is not part of it. */
  readonly export: (selection: TelemetrySelection, by: ActorContext) => Stream.Stream<Documents>
}

/** How many events are read at once: a few milliseconds of the event loop. */
const pageSize = 1_000

export class Telemetry extends Context.Tag("muster/Telemetry")<Telemetry, TelemetryService>() {
  static readonly layer = Layer.effect(
    Telemetry,
    Effect.map(Storage, (storage) =>
      Telemetry.of({
        record: Effect.fn("Telemetry.record")((draft, by) => storage.write(record(draft, by))),
        recordAll: Effect.fn("Telemetry.recordAll")((drafts, by) =>
          storage.write(Effect.forEach(drafts, (draft) => record(draft, by)))
        ),
        list: ({ limit = defaultLimit, ...selection }, by) =>
          Effect.map(storage.read(TelemetryRepo.newest(visible(selection, by), limit)), documentsOf),
        count: (selection, by) =>
          Effect.map(storage.read(TelemetryRepo.counts(visible(selection, by))), countOf(by)),
        status: (by) => storage.read(statusOf(visible({}, by))),
        export: (selection, by) =>
          Stream.paginateChunkEffect(
            { below: Number.MAX_SAFE_INTEGER, room: exportLimit },
            ({ below, room }) =>
              Effect.map(
                storage.read(TelemetryRepo.newest(visible(selection, by), Math.min(pageSize, room), below)),
                (page) => {
                  const last = page.length < pageSize ? undefined : page.at(-1)
                  return [
                    page.length === 0 ? Chunk.empty() : Chunk.of(documentsOf(page)),
                    last === undefined || room <= page.length
                      ? Option.none()
                      : Option.some({ below: last.seq, room: room - page.length })
                  ]
                }
              )
          )
      })
    )
  )
}

/** Whether internal events exist for an actor. */
export const maySeeInternal = (by: ActorContext): boolean => by.permissions.has("admin:manage")

const visible = (selection: TelemetrySelection, by: ActorContext): TelemetryRepo.Selection => ({
  ...selection,
  internal: maySeeInternal(by)
})

const documentsOf = (rows: ReadonlyArray<TelemetryRepo.TelemetryRow>): Documents =>
  rows.map(({ json }) => json)

const statusOf = (selection: TelemetryRepo.Selection): Effect.Effect<TelemetryStatus, never, Sql> =>
  Effect.zipWith(TelemetryRepo.counts(selection), TelemetryRepo.lastAt(selection), (counts, last) => ({
    enabled: true,
    total: totalOf(counts),
    lastEventAt: last === undefined ? null : iso(last)
  }))

const totalOf = (counts: ReadonlyArray<TelemetryRepo.TypeCount>): number =>
  counts.reduce((total, { n }) => total + n, 0)

const countOf =
  (by: ActorContext) =>
  (counts: ReadonlyArray<TelemetryRepo.TypeCount>): TelemetryCount => ({
    total: totalOf(counts),
    byType: {
      "run.started": 0,
      "run.completed": 0,
      "run.tokens": 0,
      ...(maySeeInternal(by) ? { "network.egress": 0 } : {}),
      ...Object.fromEntries(counts.map(({ n, type }) => [type, n]))
    }
  })
