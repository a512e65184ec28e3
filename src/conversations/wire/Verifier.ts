import { Context, Effect, Layer } from "effect"
import { sha256 } from "../../kernel/Digest.ts"
import type { NostrEvent } from "./NostrEvent.ts"

/** The id of an event: SHA-256 over its canonical form (NIP-01). */
export const idOf = ({ content, created_at, kind, pubkey, tags }: Omit<NostrEvent, "id" | "sig">): string =>
  sha256(JSON.stringify([0, pubkey, created_at, kind, tags, content]))

/** How long one slice of checks may keep the event loop, in milliseconds. */
const sliceMs = 8

type Verify = (event: NostrEvent) => boolean

const load = async (): Promise<Verify> => {
  const [{ initNostrWasm }, { setNostrWasm, verifyEvent }] = await Promise.all([
    import("nostr-wasm"),
    import("nostr-tools/wasm")
  ])
  setNostrWasm(await initNostrWasm())
  // A copy: the library leaves a mark on what it has checked.
  return (event) =>
    event.id === idOf(event) && verifyEvent({ ...event, tags: event.tags.map((tag) => [...tag]) })
}

/**
 * Says whether events are what they claim: the id covers the content, and the key signed the id. It takes rebuilt
 * events only. A check takes about a quarter of a millisecond, so many of them are done in slices, and other work gets
 * a turn in between.
 */
export interface VerifierService {
  readonly verify: (events: ReadonlyArray<NostrEvent>) => Effect.Effect<ReadonlyArray<boolean>>
}

export class Verifier extends Context.Tag("muster/Verifier")<Verifier, VerifierService>() {
  /** libsecp256k1 as WebAssembly, loaded when the first event comes. */
  static readonly layer = Layer.sync(Verifier, () => {
    // A promise and no cached effect: the first caller may be interrupted, and that must not be cached.
    let loading: Promise<Verify> | undefined
    const loaded = Effect.promise(() => {
      loading ??= load()
      return loading
    })
    return Verifier.of({
      verify: (events) =>
        events.length === 0
          ? Effect.succeed([])
          : Effect.flatMap(loaded, (verify) => inSlices(events, verify))
    })
  })
}

const inSlices = (events: ReadonlyArray<NostrEvent>, verify: Verify): Effect.Effect<ReadonlyArray<boolean>> =>
  Effect.gen(function* () {
    const verdicts: Array<boolean> = []
    while (verdicts.length < events.length) {
      const end = performance.now() + sliceMs
      for (const event of events.slice(verdicts.length)) {
        verdicts.push(verify(event))
        if (performance.now() >= end) break
      }
      if (verdicts.length < events.length) yield* nextTurn
    }
    return verdicts
  })

/** Lets the event loop go round once: timers, sockets and files come first. */
const nextTurn = Effect.async<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
