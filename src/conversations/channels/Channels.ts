import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { now, nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AdapterNotFound, AdapterOfOtherKind } from "../adapters/Errors.ts"
import { requireRelay } from "../adapters/Units.ts"
import { Bridge } from "../bridge/Bridge.ts"
import type { Mapping, MappingBody, StoredMapping } from "../mappings/Mapping.ts"
import { addMapping, changeMapping, mappingOfChannel, mappingsOf } from "../mappings/Units.ts"
import { countOpenIn } from "../outbox/Units.ts"
import { MappingConflict, MappingInUse, MappingLimitReached, MappingNotFound } from "./Errors.ts"
import { MappingCreated, MappingDeleted, MappingDisabled, MappingUpdated } from "./Events.ts"
import { removeMapping } from "./RemoveMapping.ts"

/** The most channels that an adapter knows; one of them is switched on. */
const mappingLimit = 100

type NoRelay = AdapterNotFound | AdapterOfOtherKind

/** Which channel of a relay leads to the squad chat. */
export interface ChannelsService {
  readonly list: (adapterId: string) => Effect.Effect<ReadonlyArray<Mapping>, NoRelay>
  /** Maps a channel, or changes its mapping. */
  readonly put: (
    adapterId: string,
    channelId: string,
    body: MappingBody,
    by: ActorContext
  ) => Effect.Effect<Mapping, NoRelay | MappingConflict | MappingLimitReached>
  /** Switches a mapping off. Its cursor, and all that was said through it, stay. */
  readonly disable: (
    adapterId: string,
    channelId: string,
    by: ActorContext
  ) => Effect.Effect<Mapping, NoRelay | MappingNotFound>
  /** Forgets a mapping that is switched off and through which nothing is on its way. */
  readonly remove: (
    adapterId: string,
    channelId: string,
    by: ActorContext
  ) => Effect.Effect<void, NoRelay | MappingNotFound | MappingInUse>
}

export class Channels extends Context.Tag("muster/Channels")<Channels, ChannelsService>() {
  static readonly layer = Layer.effect(
    Channels,
    Effect.gen(function* () {
      const storage = yield* Storage
      const bridge = yield* Bridge
      return Channels.of({
        list: (adapterId) =>
          storage.read(
            Effect.zipRight(
              requireRelay(adapterId),
              Effect.map(mappingsOf(adapterId), (found) => found.map(shown))
            )
          ),
        put: Effect.fn("Channels.put")((adapterId, channelId, body, by) =>
          Effect.zipLeft(storage.write(put(adapterId, channelId, body, by)), bridge.changed(adapterId))
        ),
        disable: Effect.fn("Channels.disable")((adapterId, channelId, by) =>
          Effect.zipLeft(storage.write(disable(adapterId, channelId, by)), bridge.changed(adapterId))
        ),
        remove: Effect.fn("Channels.remove")((adapterId, channelId, by) =>
          storage.write(remove(adapterId, channelId, by))
        )
      })
    })
  )
}

const shown = ({ cursor: _, ...mapping }: StoredMapping): Mapping => mapping

/** What the journal is told of a mapping. */
const told = ({ adapterId, channelId, enabled, id }: Mapping) => ({
  resourceId: id,
  adapterId,
  channelId,
  enabled
})

const put = (
  adapterId: string,
  channelId: string,
  { actor, enabled, target }: MappingBody,
  by: ActorContext
): Effect.Effect<Mapping, NoRelay | MappingConflict | MappingLimitReached, Sql> =>
  Effect.gen(function* () {
    yield* requireRelay(adapterId)
    const mappings = yield* mappingsOf(adapterId)
    const other = mappings.find((mapping) => mapping.enabled && mapping.channelId !== channelId)
    if (enabled && other !== undefined)
      return yield* new MappingConflict({ enabledChannelId: other.channelId })
    const before = mappings.find((mapping) => mapping.channelId === channelId)
    const at = yield* nowIso
    if (before !== undefined) {
      const mapping = { ...shown(before), actor, enabled, target, updatedAt: at }
      yield* changeMapping(mapping)
      yield* Journal.record(new MappingUpdated(told(mapping)), by)
      return mapping
    }
    if (mappings.length >= mappingLimit) return yield* new MappingLimitReached({ limit: mappingLimit })
    const id = yield* newId("map")
    const mapping: Mapping = {
      id,
      adapterId,
      channelId,
      target,
      enabled,
      actor,
      createdAt: at,
      updatedAt: at
    }
    // What was said before is history that nobody asked for, apart from the minutes that the overlap covers.
    yield* addMapping(mapping, Math.floor((yield* now) / 1_000))
    yield* Journal.record(new MappingCreated(told(mapping)), by)
    return mapping
  })

const disable = (adapterId: string, channelId: string, by: ActorContext) =>
  Effect.gen(function* () {
    yield* requireRelay(adapterId)
    const found = yield* mappingOfChannel(adapterId, channelId)
    if (found === undefined) return yield* new MappingNotFound({ channelId })
    if (!found.enabled) return shown(found)
    const mapping = { ...shown(found), enabled: false, updatedAt: yield* nowIso }
    yield* changeMapping(mapping)
    yield* Journal.record(new MappingDisabled(told(mapping)), by)
    return mapping
  })

const remove = (adapterId: string, channelId: string, by: ActorContext) =>
  Effect.gen(function* () {
    yield* requireRelay(adapterId)
    const found = yield* mappingOfChannel(adapterId, channelId)
    if (found === undefined) return yield* new MappingNotFound({ channelId })
    const openDeliveries = yield* countOpenIn(adapterId, channelId)
    if (found.enabled || openDeliveries > 0)
      return yield* new MappingInUse({ channelId, enabled: found.enabled, openDeliveries })
    yield* removeMapping(found.id)
    yield* Journal.record(new MappingDeleted(told(found)), by)
  })
