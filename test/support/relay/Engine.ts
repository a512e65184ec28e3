import type { Event, Filter, HandleEventResult } from "@nostr-relay/common"
import { NostrRelay } from "@nostr-relay/core"
import { verify } from "./Keys.ts"
import { Repository } from "./Repository.ts"
import { type Ground, refusal } from "./Rules.ts"
import type { Settings } from "./Settings.ts"

/** The real engine with the rules of the family plugged in. */
export interface Engine {
  /** Takes an event as the relay would, whoever brings it. */
  readonly accept: (event: Event) => Promise<HandleEventResult>
  /** Takes an event of any age and tells nobody: history that was there before the test began. */
  readonly seed: (event: Event) => Promise<void>
  readonly find: (filters: ReadonlyArray<Filter>) => Promise<ReadonlyArray<Event>>
  readonly repository: Repository
  readonly close: () => Promise<void>
}

/**
 * Starts @nostr-relay/core with SQLite: it verifies ids and signatures, knows duplicates, stores, replaces heads and
 * finds; our rules are a plugin that it asks before it takes an event. `announce` hears of each new event, as a plugin
 * in place of the engine's own fan-out, whose filters don't look at tags, so that every channel would hear all others.
 */
export const startEngine = async (
  settings: Settings,
  self: string,
  announce: (event: Event) => void
): Promise<Engine> => {
  const repository = new Repository(settings.file ?? ":memory:", () => settings.pageCap)
  await repository.init()
  const ground: Ground = { settings, repository, self }
  // Both caches answer from memory for a while: the one serves pages from before the last event, the other repeats to
  // the true event what was said to a forgery with the same id, and never says "duplicate".
  const relay = new NostrRelay(repository, { filterResultCacheTtl: 0, eventHandlingResultCacheTtl: 0 })
  relay.register({
    beforeHandleEvent: (event: Event) => {
      const message = refusal(event, ground)
      return message === undefined ? { canHandle: true } : { canHandle: false, message }
    }
  })
  relay.register({
    broadcast: async (event: Event) => announce(event)
  })
  const accept = async (event: Event) => {
    const result = await relay.handleEvent(event)
    const fresh = result.success && result.message === undefined
    // The engine carries out a deletion without a word to its subscribers; relays of the family pass it on.
    if (fresh && event.kind === 5) announce(event)
    return result
  }
  return {
    accept,
    seed: async (event) => {
      if (!verify(event)) throw new Error(`event ${event.id} is not what its key signed`)
      // Straight into the repository, for the engine knows no history without subscribers, and checks a signature in
      // 1.2 ms where this takes a fifth of it.
      await (event.kind === 5 ? repository.deleteByDeletionRequest(event) : repository.upsert(event))
    },
    find: (filters) => relay.findEvents([...filters]),
    repository,
    close: async () => {
      await relay.destroy()
      await repository.destroy()
    }
  }
}
