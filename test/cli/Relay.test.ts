import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  adapterBody,
  alice,
  bridge,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  otherChannel,
  routes
} from "../conversations/relay/Bridged.ts"
import { execute } from "../support/Binary.ts"
import { cliAs } from "../support/Cli.ts"
import { programs } from "../support/Programs.ts"
import { message } from "../support/relay/Drafts.ts"
import { relay } from "../support/relay/Relay.ts"
import { deserted } from "../support/Stub.ts"
import { keys, World } from "../support/World.ts"

/** The built command, as an administrator types it. */
const muster = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(World, ({ baseUrl }) =>
    execute(process.execPath, [programs.command, "relay", ...args], {
      environment: { SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys.admin }
    })
  )

/** The same in this process, which takes a tenth of the time. */
const admin = (...args: ReadonlyArray<string>) => cliAs("admin", "relay", ...args)

describe("relay", () => {
  it.scopedLive("leads from nothing to a healthy bridge", () =>
    Effect.gen(function* () {
      const none = yield* muster("status")
      assert.deepStrictEqual([none.exitCode, none.stdout.includes("No relay is configured")], [0, true])
      const nothing = yield* muster("send", "hello")
      assert.strictEqual(nothing.exitCode, 2)
      assert.include(nothing.stderr, "No relay is configured")

      const there = yield* relay()
      const here = yield* routes
      yield* here.put(adapterBody(there.url))
      yield* eventually(here.health, ({ reasonCode }) => reasonCode === "no_mapping")
      const unmapped = yield* muster("status")
      assert.strictEqual(unmapped.exitCode, 1)
      assert.match(unmapped.stdout, /^community {2}degraded {2}Community\n {2}reason: +No channel is mapped/)
      assert.include(unmapped.stdout, "muster relay map CHANNEL")
      assert.include(unmapped.stdout, "channel:   none")

      const mapped = yield* muster("map", channel.toUpperCase(), "--actor", "ann")
      assert.strictEqual(mapped.exitCode, 0)
      assert.include(mapped.stdout, `Mapped ${channel} to the squad chat`)
      yield* eventually(here.health, ({ status }) => status === "healthy")
      const healthy = yield* muster("status", "community")
      assert.strictEqual(healthy.exitCode, 0, healthy.stdout)
      assert.include(healthy.stdout, `channel:   ${channel}, brought in by ann`)
      assert.match(healthy.stdout, /waiting: {3}0 to send, 0 uncertain, 0 replies/)
      const [standing] = JSON.parse((yield* muster("status", "--json")).stdout)
      assert.strictEqual(standing.mapping.channelId, channel)
      assert.strictEqual(standing.health.status, "healthy")

      const unknown = yield* muster("status", "elsewhere")
      assert.strictEqual(unknown.exitCode, 4)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("maps one channel at a time, and says how to change it", () =>
    Effect.gen(function* () {
      const { here } = yield* bridged()
      const conflict = yield* admin("map", otherChannel)
      assert.strictEqual(conflict.exitCode, 5)
      assert.include(conflict.stderr, `Channel ${channel} leads to the squad chat already`)
      assert.include(conflict.stderr, `muster relay map ${channel} --disable`)
      const disabled = yield* admin("map", channel, "--disable")
      assert.deepStrictEqual([disabled.exitCode, disabled.stdout], [0, `Disabled ${channel}`])
      assert.strictEqual((yield* admin("map", otherChannel, "--adapter", "community")).exitCode, 0)
      yield* admin("map", otherChannel, "--disable")
      const removed = yield* admin("map", otherChannel, "--remove")
      assert.deepStrictEqual([removed.exitCode, removed.stdout], [0, `Removed ${otherChannel}`])
      assert.strictEqual((yield* admin("map", otherChannel, "--remove")).exitCode, 4)
      const again = JSON.parse((yield* admin("map", channel, "--json")).stdout)
      assert.deepInclude(again, { channelId: channel, actor: "bridge", enabled: true })
      assert.strictEqual((yield* admin("map", "general")).exitCode, 2)
      yield* here.disconnect
      const off = yield* admin("status")
      assert.strictEqual(off.exitCode, 0, "it was switched off on purpose")
      assert.include(off.stdout, "community  disabled")
      assert.strictEqual((yield* admin("status", "community")).exitCode, 1)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("sends what is said, and answers", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const hello = message({ by: alice, channel, content: "hello" })
      yield* there.publish(hello)
      const [heard] = yield* eventually(here.squad, (all) => all.length === 1)
      const sent = yield* muster("send", "--as", "ann", "--reply-to", heard.id, "hello", "back")
      assert.strictEqual(sent.exitCode, 0, sent.stderr)
      assert.match(sent.stdout, /^Sent msg_\w{16} \(delivery_\w{16}\) as event [0-9a-f]{8}\n$/)
      // Within a second a relay puts events in the order of their ids.
      const answer = there.eventsIn(channel).find(({ content }) => content === "hello back")
      assert.strictEqual(answer?.pubkey, bridge.publicKey)
      assert.deepStrictEqual(answer?.tags[1], ["e", hello.id, "", "reply"])
      const [, said] = yield* here.squad
      assert.deepInclude(said, { agent: "ann", message: "hello back", replyToId: heard.id })

      const listed = yield* muster("deliveries", "--status", "success")
      assert.match(listed.stdout, /^UPDATED +WAY +STATUS +REASON +TIMES +EVENT +MESSAGE +ID\n/)
      assert.match(listed.stdout, /out +success +- +1 +[0-9a-f]{8} +msg_/)
      assert.match(listed.stdout, /in +success +root_posted +1 +[0-9a-f]{8} +msg_relay_/)
      const one = JSON.parse((yield* muster("deliveries", "--limit", "1", "--json")).stdout)
      assert.strictEqual(one.length, 1)
      assert.strictEqual((yield* muster("deliveries", "--status", "failed")).stdout, "No deliveries.\n")
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("tells in one line why a message did not arrive, and sends it later", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/events", { type: "status", status: 503, body: "closed for today" })
      const queued = yield* admin("send", "in", "the", "queue")
      assert.strictEqual(queued.exitCode, 6)
      assert.match(queued.stdout, /^Queued msg_\w+ \(delivery_\w+\): .+tried again.+$/)

      there.faultNext("/events", { type: "cut", stored: false })
      const unknown = yield* admin("send", "perhaps")
      assert.strictEqual(unknown.exitCode, 6)
      assert.match(unknown.stdout, /^Unknown msg_\w+ \(delivery_\w+\): .+muster relay poll$/)
      const polled = yield* admin("poll")
      assert.strictEqual(polled.exitCode, 0, polled.stdout)
      assert.include(polled.stdout, "1 message: 1 arrived (1 handed over again), 0 failed, 0 open")
      assert.strictEqual((yield* admin("poll")).stdout, "Nothing to settle.")

      there.faultNext("/events", { type: "status", status: 400, body: { error: "no such word" } })
      const failed = yield* admin("send", "abracadabra")
      assert.strictEqual(failed.exitCode, 5)
      assert.match(failed.stdout, /^Failed msg_\w+ \(delivery_\w+\): .+$/)

      yield* here.unmap()
      const skipped = yield* admin("send", "nobody", "listens")
      assert.strictEqual(skipped.exitCode, 5)
      assert.match(skipped.stdout, /^Not sent msg_\w+ \(delivery_\w+\): No channel is mapped.+$/)
      const [, id = ""] = /muster relay send --message (msg_\w+)/.exec(skipped.stdout) ?? []
      yield* here.map()
      const before: ReadonlyArray<unknown> = yield* here.squad
      const later = yield* admin("send", "--message", id)
      assert.strictEqual(later.exitCode, 0, later.stdout)
      assert.strictEqual((yield* here.squad).length, before.length, "nothing is said twice")
      assert.isTrue(there.eventsIn(channel).some(({ content }) => content === "nobody listens"))
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("does not reply to what the relay does not know", () =>
    Effect.gen(function* () {
      const { there } = yield* bridged()
      const { request } = yield* World
      const { body } = yield* request("POST", "/api/chat/squad", { body: { agent: "ann", message: "here" } })
      const blocked = yield* admin("send", "--reply-to", body.id, "there")
      assert.strictEqual(blocked.exitCode, 5)
      assert.include(blocked.stdout, "not known at the relay")
      assert.deepStrictEqual(there.eventsIn(channel), [])
      assert.strictEqual((yield* admin("send", "--message", body.id)).exitCode, 0)
      assert.strictEqual((yield* admin("send", "--reply-to", body.id, "there")).exitCode, 0)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("posts nothing that may not be sent", () =>
    Effect.gen(function* () {
      const { here } = yield* bridged()
      const refused = yield* cliAs("agent", "relay", "send", "hello")
      assert.strictEqual(refused.exitCode, 3)
      assert.include(refused.stderr, "settings:write")
      for (const args of [["send"], ["send", "--message", "msg_1", "and", "text"]]) {
        const misused = yield* admin(...args)
        assert.strictEqual(misused.exitCode, 2)
        assert.include(misused.stderr, "either a text or a message")
      }
      assert.strictEqual((yield* admin("send", "--message", "msg_nowhere")).exitCode, 4)
      assert.strictEqual((yield* admin("send", "--reply-to", "msg_nowhere", "hello")).exitCode, 4)
      assert.deepStrictEqual(yield* here.squad, [])
      assert.strictEqual(
        (yield* cliAs("read-only", "relay", "status")).exitCode,
        0,
        "looking is for everybody"
      )

      yield* here.call("PUT", "/adapters/other", { body: adapterBody(yield* deserted) })
      const several = yield* admin("send", "hello")
      assert.strictEqual(several.exitCode, 2)
      assert.include(several.stderr, "There are 2 relays: community, other")
      assert.include(several.stderr, "--adapter ID")
      assert.strictEqual((yield* admin("send", "--adapter", "community", "hello")).exitCode, 0)
      const both = yield* admin("status")
      assert.strictEqual(both.exitCode, 1)
      assert.match(both.stdout, /other {2}unhealthy[\s\S]+The relay can't be reached/)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.live("explains itself with examples and exit codes", () =>
    Effect.gen(function* () {
      const { stdout } = yield* execute(process.execPath, [programs.command, "relay", "send", "--help"])
      for (const text of ["--reply-to ID", "--message ID", "$ muster relay send", "6 while it may"])
        assert.include(stdout, text)
    })
  )
})
