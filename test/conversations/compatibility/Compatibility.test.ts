import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { baseline } from "../../../src/conversations/compatibility/Baseline.ts"
import { message } from "../../support/relay/Drafts.ts"
import { relay } from "../../support/relay/Relay.ts"
import { temporaryDirectory, World } from "../../support/World.ts"
import {
  adapterBody,
  alice,
  bridge,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  routes
} from "../relay/Bridged.ts"

describe("The compatibility of a relay", () => {
  it.scopedLive("is proven by checks that stand for themselves, and the runtime is another matter", () =>
    Effect.gen(function* () {
      const there = yield* relay()
      const here = yield* routes
      yield* here.put(adapterBody(there.url, { expectedCommunity: there.host }))
      const health = yield* eventually(here.health, ({ runtime }) => runtime?.reasonCode === "no_mapping")
      expect(health).toMatchObject({
        status: "degraded",
        compatibility: { status: "healthy", reasonCode: "ok" },
        configured: { http: there.url, webSocket: null },
        resolved: { http: there.url, webSocket: there.wsUrl },
        expectedCommunity: there.host,
        observedCommunity: there.host,
        observedVersion: "0.2.1",
        publicKeyFingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
        testedRelease: "0.4.24",
        testedCommit: baseline.commit,
        probeRevision: baseline.probeRevision,
        contract: baseline.contract,
        canSend: false,
        canReceiveReplies: false,
        rejectedCount: 0
      })
      expect(health.runtime?.transport.state).toBe("authenticated")
      expect(health.checks.map(({ id, status }) => [id, status])).toEqual([
        ["relayIdentity", "verified"],
        ["relayCommit", "not_reported"],
        ["capabilities", "verified"],
        ["communityBinding", "verified"],
        ["clock", "verified"],
        ["configuredIdentity", "verified"],
        ["authentication", "verified"],
        ["membership", "not_enforced"],
        ["channelRead", "unverified"],
        ["messageRead", "unverified"]
      ])
      expect("command" in health).toBe(false)
      yield* here.map()
      const full = yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
      expect(full).toMatchObject({ status: "healthy", reasonCode: "ok", canSend: true })
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "is missing for an unknown version: its words can be read, and nothing connects or is sent",
    () =>
      Effect.gen(function* () {
        const there = yield* relay({ version: "0.4.25" })
        const here = yield* routes
        yield* here.put(adapterBody(there.url))
        yield* here.map()
        for (const ask of [here.health, here.test, here.test]) {
          expect(yield* ask).toMatchObject({
            status: "unsupported",
            reasonCode: "relay_version_unsupported",
            observedVersion: "0.4.25",
            canSend: false
          })
        }
        expect((yield* here.send("msg_1", "hello")).body).toMatchObject({
          status: "blocked",
          reasonCode: "relay_version_unsupported",
          event: null
        })
        expect(there.journal.sockets).toBe(0)
        expect(there.journal.http.some(({ path }) => path === "/events" || path === "/query")).toBe(false)

        // The message that was blocked may be sent when the relay is one that was tested.
        yield* there.set({ version: "0.2.0" })
        expect(yield* here.test).toMatchObject({ canSend: true })
        expect((yield* here.send("msg_1", "hello")).body.status).toBe("success")
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "is lost with another commit, a missing capability, another community, another configuration",
    () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        yield* there.set({ commit: "0".repeat(40) })
        expect(yield* here.test).toMatchObject({
          status: "unsupported",
          reasonCode: "relay_commit_unsupported",
          canSend: false
        })
        yield* there.set({ commit: baseline.commit, nips: [1, 11, 42] })
        expect(yield* here.test).toMatchObject({ reasonCode: "relay_capability_missing" })
        yield* there.set({ nips: [1, 11, 29, 42] })
        expect(yield* here.test).toMatchObject({ canSend: true, compatibility: { status: "healthy" } })
        yield* here.put(adapterBody(there.url, { expectedCommunity: "other.example" }))
        expect(yield* here.test).toMatchObject({
          status: "unhealthy",
          reasonCode: "community_mismatch",
          expectedCommunity: "other.example",
          observedCommunity: there.host,
          canSend: false
        })
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "ends a connection that stands once the relay is none that was tested, until it is one again",
    () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        for (const changes of [{ version: "9.9.9" }, { version: "0.2.1", commit: "0".repeat(40) }]) {
          yield* there.set(changes)
          expect(yield* here.test).toMatchObject({ status: "unsupported", canReceiveReplies: false })
          yield* there.waitFor(({ openSockets }) => openSockets === 0)
          const said = message({ by: alice, channel, content: `said to ${JSON.stringify(changes)}` })
          yield* there.publish(said)
          expect(yield* here.health).toMatchObject({
            status: "unsupported",
            runtime: { transport: { state: "disconnected" }, subscription: { state: "inactive" } }
          })
          expect(yield* here.squad).toHaveLength(0)
        }
        yield* there.set({ version: "0.2.1", commit: baseline.commit })
        expect(yield* here.test).toMatchObject({ canSend: true })
        yield* eventually(here.squad, ({ length }) => length === 2)
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("keeps a connection that stands when a probe fails for the moment", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      there.faultNext("/", { type: "status", status: 503 })
      expect(yield* here.test).toMatchObject({ status: "unhealthy", reasonCode: "relay_unavailable" })
      yield* there.publish(message({ by: alice, channel, content: "still heard" }))
      yield* eventually(here.squad, ({ length }) => length === 1)
      expect(there.journal.sockets).toBe(there.journal.openSockets)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("tells a membership that is missing, a relay that is away, and clocks that are apart", () =>
    Effect.gen(function* () {
      const there = yield* relay({ members: [] })
      const here = yield* routes
      yield* here.put(adapterBody(there.url))
      expect(yield* here.test).toMatchObject({
        status: "unhealthy",
        reasonCode: "relay_membership_required"
      })
      yield* there.set({ members: [bridge.publicKey] })
      const member = yield* here.test
      expect(member.checks.find(({ id }) => id === "membership")?.status).toBe("verified")
      yield* there.set({ now: () => Date.now() + 164_000 })
      const skewed = yield* here.test
      expect(skewed).toMatchObject({ status: "unhealthy", reasonCode: "clock_skew" })
      expect(skewed.message).toMatch(/clock is 16\d s behind the relay's/)
      yield* there.stop()
      expect(yield* here.test).toMatchObject({ status: "unhealthy", reasonCode: "relay_unreachable" })
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is looked at without a single event being sent, and a command runs in a test only", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged(
        {},
        { command: { executable: process.execPath, args: ["--version"] } }
      )
      expect((yield* here.health).command).toEqual({ status: "not_run", version: null, checkedAt: null })
      expect((yield* here.test).command).toMatchObject({ status: "ok", version: process.version.slice(1) })
      yield* here.send("msg_1", "hello")
      expect(there.journal.http.filter(({ path }) => path === "/events")).toHaveLength(1)
      expect(
        there.journal.frames.some(({ direction, text }) => direction === "in" && text.startsWith('["EVENT"'))
      ).toBe(false)
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("falls with a change of the configuration, until the relay was looked at again", () =>
    Effect.gen(function* () {
      const { here, there } = yield* bridged()
      const standing = yield* here.health
      expect(standing).toMatchObject({ canSend: true, compatibility: { status: "healthy" } })
      // What is named and stays as it is changes nothing; what is only shown neither.
      yield* here.put(adapterBody(there.url, { displayName: "Renamed" }))
      expect((yield* here.health).compatibility).toEqual(standing.compatibility)
      const elsewhere = yield* relay()
      yield* elsewhere.stop()
      yield* here.put(adapterBody(elsewhere.url))
      const changed = yield* here.health
      expect(changed).toMatchObject({ canSend: false, canReceiveReplies: false })
      expect(changed.compatibility?.status).not.toBe("healthy")
      expect((yield* here.send("msg_1", "hello")).body.status).not.toBe("success")
      expect(there.journal.http.some(({ path }) => path === "/events")).toBe(false)
      yield* here.put(adapterBody(there.url))
      expect(yield* here.test).toMatchObject({ canSend: true, compatibility: { status: "healthy" } })
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "rests on no program: the configured one runs when the adapter is tested, and then alone",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const marks = join(directory, "runs")
        const program = join(directory, "relay-version")
        writeFileSync(program, `#!/bin/sh\necho run >> '${marks}'\necho 1.2.3\n`, { mode: 0o755 })
        const { here, there } = yield* bridged({}, { command: { executable: program, args: [] } })
        yield* here.health
        expect((yield* here.send("msg_1", "hello")).body.status).toBe("success")
        there.faultNext("/events", { type: "cut", stored: false })
        yield* here.send("msg_2", "settled by a poll")
        yield* here.poll
        yield* there.publish(message({ by: alice, channel, content: "from there" }))
        yield* eventually(here.squad, ({ length }) => length === 1)
        yield* here.disconnect
        expect(existsSync(marks)).toBe(false)
        expect((yield* here.test).command).toMatchObject({ status: "ok", version: "1.2.3" })
        expect(readFileSync(marks, "utf8")).toBe("run\n")
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "is not found in an answer that is larger than anybody reads, however it is cut into parts",
    () =>
      Effect.gen(function* () {
        const there = yield* relay()
        const here = yield* routes
        let sent = 0
        there.serve("/", (response) => {
          const part = Buffer.alloc(65_536, " ")
          const more = () => {
            sent += part.length
            if (sent < 64 * 1_048_576) response.write(part, (error) => error ?? more())
          }
          more()
        })
        yield* here.put(adapterBody(there.url))
        expect(yield* here.test).toMatchObject({ reasonCode: "response_too_large", canSend: false })
        expect(sent).toBeLessThan(32 * 1_048_576)
      }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive("is recorded with all that it rests on", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { body } = yield* request("GET", "/api/config/harness-compatibility", { as: "read-only" })
      expect(body).toMatchObject({ release: "0.4.24", harness: "0.1.0", fixtures: expect.any(Array) })
      expect(body.commit).toMatch(/^[0-9a-f]{40}$/)
      expect(body.evidenceDigest).toMatch(/^sha256:[0-9a-f]{64}$/)
      expect(body.relayVersions).toContain("0.2.1")
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
