import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { message, persona } from "../../support/relay/Drafts.ts"
import { identities, type SignedEvent, seconds } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import { post } from "../../support/relay/WireClient.ts"

const { alice, bob, bridge } = identities
const channel = "7b1f0f6e-6f0a-4d55-9d0a-000000000001"
const newestFirst = (a: SignedEvent, b: SignedEvent) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1)

/** Pages back through a channel, from a key or from a second alone, until a page brings nothing new. */
const pages = (of: TestRelay, withKey: boolean) =>
  Effect.gen(function* () {
    const found = new Map<string, SignedEvent>()
    const sizes: Array<number> = []
    let from = {}
    for (;;) {
      const { body } = yield* post(of, bridge, "/query", { body: [{ kinds: [9], "#h": [channel], ...from }] })
      const page: ReadonlyArray<SignedEvent> = body
      sizes.push(page.length)
      const before = found.size
      for (const event of page) found.set(event.id, event)
      const last = page.at(-1)
      if (last === undefined || found.size === before) return { found: [...found.values()], sizes }
      from = withKey ? { until: last.created_at, before_id: last.id } : { until: last.created_at }
    }
  })

describe("the history of the relay of the tests", () => {
  it.scopedLive("is capped, and whole for those who page by key, in any second", () =>
    Effect.gen(function* () {
      const running = yield* relay({ pageCap: 500 })
      const at = seconds() - 86_400
      // Days old; 700 share one second, which is more than a page holds.
      const history = Array.from({ length: 1_500 }, (_, n) =>
        message({ by: alice, channel, content: `${n}`, at: n < 400 ? at - 400 + n : n < 1_100 ? at : at + n })
      )
      yield* running.seed(history)
      assert.lengthOf(running.eventsIn(channel), 1_500)
      const keyed = yield* pages(running, true)
      assert.deepStrictEqual(keyed.found, [...history].sort(newestFirst))
      assert.deepStrictEqual(keyed.sizes, [500, 500, 500, 0])
      // Without a key the crowded second can't be passed.
      const plain = yield* pages(running, false)
      assert.isBelow(plain.found.length, 1_500)
      yield* running.set({ beforeId: false })
      assert.deepStrictEqual((yield* pages(running, true)).sizes, plain.sizes)
      // With pages that hold the second, the key isn't needed.
      yield* running.set({ pageCap: 1_000 })
      assert.lengthOf((yield* pages(running, false)).found, 1_500)
    })
  )

  it.scopedLive("keeps one head of a definition: the newest, and of equals the lowest id", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const at = seconds()
      const [one, two, three] = ["a", "b", "c"].map((display_name) =>
        persona({ by: bob, d: "ada", content: { display_name }, at })
      )
      const older = persona({ by: bob, d: "ada", content: { display_name: "old" }, at: at - 1 })
      for (const event of [older, one, two, three, older])
        if (event !== undefined) yield* running.publish(event)
      const { body } = yield* post(running, bridge, "/query", { body: [{ kinds: [30175] }] })
      const lowest = [one?.id, two?.id, three?.id].sort()[0]
      assert.deepStrictEqual(
        body.map(({ id }: SignedEvent) => id),
        [lowest]
      )
    })
  )
})
