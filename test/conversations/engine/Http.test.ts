import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { WebSocket } from "ws"
import {
  deletion9005,
  edit,
  message,
  nip98,
  ownerTag,
  persona,
  reply,
  team
} from "../../support/relay/Drafts.ts"
import { judge } from "../../support/relay/Judge.ts"
import { identities, type SignedEvent, seconds, sign } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import { get, post } from "../../support/relay/WireClient.ts"

const { agent, alice, bob, bridge, owner } = identities
const channel = "7b1f0f6e-6f0a-4d55-9d0a-000000000001"
const other = "7b1f0f6e-6f0a-4d55-9d0a-000000000002"

const submit = (to: TestRelay, event: SignedEvent, by = alice) => post(to, by, "/events", { body: event })

/** The words with which the relay refuses an event. */
const refusal = (to: TestRelay, event: SignedEvent, by = alice) =>
  Effect.map(submit(to, event, by), ({ body, status }) => [status, body.error])

describe("the relay of the tests, over HTTP", () => {
  it.scopedLive("tells what it is, and who it serves", () =>
    Effect.gen(function* () {
      const running = yield* relay({ members: [alice.publicKey] })
      const info = yield* get(running, "/info")
      assert.deepInclude(info.body, {
        software: "https://github.com/block/buzz",
        version: "0.2.1",
        self: running.self
      })
      assert.includeMembers(info.body.supported_nips, [11, 29, 42, 43])
      const root = yield* get(running, "/", { accept: "application/nostr+json" })
      assert.deepStrictEqual(root.body, info.body)
      yield* running.set({ version: "0.3.0", members: undefined, stableKey: false })
      const later = yield* get(running, "/info")
      assert.deepInclude(later.body, { version: "0.3.0" })
      assert.notInclude(later.body.supported_nips, 43)
      assert.notProperty(later.body, "self")
      yield* running.set({ community: ["relay.example"] })
      assert.strictEqual((yield* get(running, "/info")).status, 200)
      assert.strictEqual((yield* get(running, "/health")).status, 200)
      const unmapped = yield* post(running, alice, "/query")
      assert.deepStrictEqual(
        [unmapped.status, unmapped.body],
        [404, { error: "relay: no community is configured for this host" }]
      )
      const upgrade = new WebSocket(running.wsUrl)
      const status = yield* Effect.promise(
        () =>
          new Promise((resolve) => {
            upgrade.on("error", () => {})
            upgrade.on("unexpected-response", (_, answer) => resolve(answer.statusCode))
          })
      )
      assert.strictEqual(status, 404)
    })
  )

  it.scopedLive("takes a signed event once, and says so the second time", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const said = message({ by: alice, channel, content: "Hi" })
      const { body, status } = yield* submit(running, said)
      assert.deepStrictEqual([status, body], [200, { event_id: said.id, accepted: true, message: "" }])
      const again = yield* submit(running, said)
      assert.deepInclude(again.body, { event_id: said.id, accepted: true })
      assert.match(again.body.message, /^duplicate:/)
      assert.lengthOf(running.journal.accepted, 1)
      assert.isTrue(yield* Effect.promise(() => judge(said)))
      const forged = { ...said, content: "Ho" }
      assert.isFalse(yield* Effect.promise(() => judge(forged)))
      const { id: _, ...unsigned } = message({ by: alice, channel, content: "Other" })
      const stolen = { ...unsigned, id: sign(bob, { kind: 9, tags: [["h", channel]] }).id }
      assert.deepStrictEqual(yield* refusal(running, stolen), [400, "invalid: id is wrong"])
    })
  )

  it.scopedLive("refuses requests that are not signed for it, each with its words", () =>
    Effect.gen(function* () {
      const running = yield* relay()
      const url = `${running.url}/query`
      const body = JSON.stringify([{ kinds: [9], limit: 1 }])
      const good = { by: alice, url, body }
      const spent = nip98(good)
      assert.strictEqual((yield* post(running, alice, "/query", { body, authorization: spent })).status, 200)
      const flawed = sign(alice, {
        kind: 27235,
        tags: [
          ["u", url],
          ["method", "POST"]
        ]
      })
      const encode = (event: object) => `Nostr ${Buffer.from(JSON.stringify(event)).toString("base64")}`
      const cases: ReadonlyArray<readonly [string | null, RegExp]> = [
        [null, /^missing Nostr auth$/],
        ["Bearer token", /^NIP-98: malformed/],
        [nip98(good).replace(/=*$/, "!"), /^NIP-98: malformed/],
        [nip98({ ...good, url: `${running.url}/events` }), /^NIP-98: URL mismatch/],
        [nip98({ ...good, url: url.replace("127.0.0.1", "localhost") }), /^NIP-98: URL mismatch/],
        [nip98({ ...good, method: "GET" }), /^NIP-98: method mismatch/],
        [nip98({ ...good, body: `${body} ` }), /^NIP-98: payload hash mismatch/],
        [nip98({ ...good, at: seconds() - 70 }), /^NIP-98: timestamp out of range: -(69|70|71)s/],
        [nip98({ ...good, at: seconds() + 70 }), /^NIP-98: timestamp out of range: (69|70)s/],
        [
          encode({ ...flawed, sig: flawed.sig.replace(/^./, (c) => (c === "0" ? "1" : "0")) }),
          /invalid signature/
        ],
        [encode(sign(alice, { kind: 22242 })), /^NIP-98: invalid kind/],
        [spent, /replay detected/]
      ]
      for (const [authorization, words] of cases) {
        const answer = yield* post(running, alice, "/query", { body, authorization })
        assert.strictEqual(answer.status, 401, `${words}`)
        assert.match(answer.body.error, words)
      }
      assert.deepInclude(running.journal.http[0], { method: "POST", path: "/query", status: 200, body })
      assert.strictEqual(running.journal.http[0]?.authEvent?.pubkey, alice.publicKey)
    })
  )

  it.scopedLive("judges events by its clock, its channels and their threads", () =>
    Effect.gen(function* () {
      let now = yield* Clock.currentTimeMillis
      const running = yield* relay({
        now: () => now,
        channels: { [channel]: {}, [other]: { members: [bob.publicKey], admins: [owner.publicKey] } }
      })
      const at = seconds()
      const far: [number, string] = [400, "invalid: event timestamp too far from server time"]
      const say = { by: alice, channel, content: "x" }
      assert.deepStrictEqual(yield* refusal(running, message({ ...say, at: at - 910 })), far)
      assert.deepStrictEqual(yield* refusal(running, message({ ...say, at: at + 910 })), far)
      const early = message({ ...say, at: at + 890 })
      assert.strictEqual((yield* submit(running, early)).status, 200)
      assert.deepStrictEqual(yield* refusal(running, sign(alice, { kind: 9 })), [
        400,
        "invalid: missing h tag"
      ])
      const closed = message({ ...say, channel: other })
      assert.deepStrictEqual(yield* refusal(running, closed), [400, "restricted: not a channel member"])
      assert.strictEqual((yield* refusal(running, message({ ...say, by: bob })))[0], 403)
      const root = message(say)
      const orphan = reply({ by: alice, to: root, content: "a" })
      assert.deepStrictEqual(yield* refusal(running, orphan), [400, "invalid: reply parent not found"])
      yield* running.publish(root)
      yield* running.publish(orphan)
      const nested = reply({ by: bob, to: orphan, content: "b" })
      assert.deepStrictEqual(nested.tags.slice(1), [
        ["e", root.id, "", "root"],
        ["e", orphan.id, "", "reply"]
      ])
      assert.isTrue((yield* running.publish(nested)).accepted)
      const lost = sign(bob, {
        kind: 9,
        tags: [
          ["h", channel],
          ["e", orphan.id, "", "reply"]
        ]
      })
      const mismatch = { accepted: false, message: "invalid: root tag does not match thread ancestry" }
      assert.deepStrictEqual(yield* running.publish(lost), mismatch)
      const hers = edit({ by: bob, target: root, content: "Not yours" })
      assert.deepStrictEqual(yield* running.publish(hers), {
        accepted: false,
        message: "restricted: must be event author"
      })
      assert.isTrue((yield* running.publish(edit({ by: alice, target: root, content: "y" }))).accepted)
      const rude = message({ by: bob, channel: other, content: "Rude" })
      yield* running.publish(rude)
      assert.isTrue((yield* running.publish(deletion9005({ by: owner, target: rude }))).accepted)
      assert.deepStrictEqual(
        running.eventsIn(other).map(({ kind }) => kind),
        [9005]
      )
      now += 1_000_000
      // Its message is known, and yet too old to be sent again.
      assert.deepStrictEqual(yield* running.publish(root), { accepted: false, message: far[1] })
    })
  )

  it.scopedLive("lets members in and those they vouch for, and spends budgets by key", () =>
    Effect.gen(function* () {
      const running = yield* relay({ members: [owner.publicKey], budgets: { httpPerMinute: 2 } })
      const query = (by = alice, headers = {}) => post(running, by, "/query", { headers })
      const { body, status } = yield* query()
      assert.deepStrictEqual([status, body.error], [403, "relay_membership_required"])
      const tag = { "x-auth-tag": JSON.stringify(ownerTag({ owner, agent })) }
      assert.strictEqual((yield* query(agent, tag)).status, 200)
      assert.strictEqual((yield* query(alice, tag)).status, 403)
      assert.strictEqual((yield* query(agent, tag)).status, 200)
      const over = yield* query(agent, tag)
      assert.strictEqual(over.status, 429)
      assert.match(over.body.error, /^rate-limited: quota exceeded; retry in (59|60)s$/)
    })
  )

  it.scopedLive(
    "refuses filters that are too many or too open, and finds nothing where one may not look",
    () =>
      Effect.gen(function* () {
        const running = yield* relay({
          channels: { [channel]: { members: [bob.publicKey] } },
          personaGate: true
        })
        yield* running.publish(message({ by: bob, channel, content: "Secret" }))
        const open = { by: bob, content: { display_name: "Ada" } }
        yield* running.publish(persona({ ...open, d: "ada" }))
        yield* running.publish(persona({ ...open, d: "eve", shared: false }))
        yield* running.publish(team({ by: bob, d: "builtin-team:welcome", content: { name: "All" } }))
        const query = (...body: ReadonlyArray<unknown>) => post(running, bridge, "/query", { body })
        const eleven = yield* query(...Array.from({ length: 11 }, () => ({ kinds: [9] })))
        assert.strictEqual(eleven.status, 400)
        assert.strictEqual((yield* query({ limit: 1 })).status, 403)
        assert.strictEqual((yield* query({ kinds: [44100] })).status, 403)
        assert.strictEqual((yield* query({ kinds: "9" })).status, 400)
        assert.strictEqual((yield* query({ kinds: [9], before_id: "0".repeat(64) })).status, 400)
        assert.deepStrictEqual((yield* query({ kinds: [9], "#h": [channel] })).body, [])
        const { body } = yield* query({ kinds: [30175, 30176] })
        assert.sameMembers(
          body.map(({ tags }: SignedEvent) => tags[0]?.[1]),
          ["ada", "builtin-team:welcome"]
        )
        const large = yield* post(running, bridge, "/query", { body: `[${" ".repeat(1_048_576)}]` })
        assert.strictEqual(large.status, 413)
      })
  )

  it.scopedLive("expects its own idea of a URL, behind a proxy with a path or with TLS too", () =>
    Effect.gen(function* () {
      const running = yield* relay({ pathPrefix: "/relay" })
      const inner = `http://${running.host}/query`
      assert.strictEqual((yield* post(running, alice, "/query", { signedUrl: inner })).status, 200)
      assert.strictEqual((yield* post(running, alice, "/query")).status, 401)
      assert.strictEqual((yield* get(running, "/info")).status, 200)
      yield* running.set({ scheme: "https" })
      const { body } = yield* post(running, alice, "/query", { signedUrl: inner })
      const told = `NIP-98: URL mismatch: expected https://${running.host}/query, got ${inner}`
      assert.strictEqual(body.error, told)
    })
  )

  it.scopedLive("tells its own time in every answer", () =>
    Effect.gen(function* () {
      const running = yield* relay({ now: () => 1_800_000_000_000 })
      const { headers } = yield* get(running, "/info")
      assert.strictEqual(headers.get("date"), "Fri, 15 Jan 2027 08:00:00 GMT")
      assert.match(
        (yield* post(running, alice, "/query")).body.error,
        /^NIP-98: timestamp out of range: -\d+s/
      )
    })
  )

  it.scopedLive("has limits: of what is said, of how deep, and of where", () =>
    Effect.gen(function* () {
      const running = yield* relay({ channels: { [channel]: {}, [other]: { archived: true } } })
      const chain = [message({ by: alice, channel, content: "0" })]
      for (let depth = 1; depth <= 101; depth += 1) {
        const to = chain.at(-1)
        if (to !== undefined) chain.push(reply({ by: alice, to, content: `${depth}` }))
      }
      const tooDeep = chain.pop()
      yield* running.seed(chain)
      const said = (content: string, where = channel) => message({ by: alice, channel: where, content })
      const cases: ReadonlyArray<readonly [SignedEvent | undefined, string]> = [
        [tooDeep, "invalid: thread depth exceeds 100"],
        [said("é".repeat(131_073)), "invalid: content exceeds maximum size of 262144 bytes"],
        [said("x", other), "restricted: channel archived"],
        [said("x", "no-channel"), "restricted: not a channel member"],
        [sign(alice, { kind: 1 }), "restricted: unknown event kind"],
        [sign(alice, { kind: 39000 }), "restricted: kind 39000 is relay-signed only"],
        [sign(alice, { kind: 5 }), "invalid: a deletion names exactly one e or a"],
        [persona({ by: alice, d: "Not A Slug", content: {} }), "invalid: d must be one slug"]
      ]
      for (const [event, words] of cases) {
        assert.isDefined(event)
        if (event !== undefined) assert.deepStrictEqual(yield* refusal(running, event), [400, words])
      }
      const largest = yield* submit(running, said("é".repeat(131_072)))
      assert.strictEqual(largest.status, 200)
    })
  )
})
