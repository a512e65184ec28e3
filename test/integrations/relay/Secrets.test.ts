import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { message, ownerTag } from "../../support/relay/Drafts.ts"
import { relay } from "../../support/relay/Relay.ts"
import { temporaryDirectory, World, worldIn } from "../../support/World.ts"
import { adapterBody, alice, bridge, eventually, owner, routes } from "./Bridged.ts"

/** Everything that lies in a directory, as one text. */
const contents = (directory: string): string =>
  readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => (statSync(path).isDirectory() ? contents(path) : readFileSync(path).toString("latin1")))
    .join("\n")

describe("The secrets of a relay", () => {
  it.scopedLive(
    "are in no answer, no log and no file, and signatures in none but the outbox of the open ones",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const logged: Array<unknown> = []
        const tag = ownerTag({ owner, agent: bridge })
        const secrets = new Map([
          ["RELAY_PRIVATE_KEY", Redacted.make(bridge.nsec)],
          ["RELAY_AUTH_TAG", Redacted.make(JSON.stringify(tag))]
        ])
        const there = yield* relay({ members: [owner.publicKey, alice.publicKey] })
        const answers: Array<unknown> = []
        yield* Effect.gen(function* () {
          const { request } = yield* World
          const here = yield* routes
          yield* here.put(adapterBody(there.url, { authTagRef: "env:RELAY_AUTH_TAG" }))
          yield* here.map()
          answers.push(yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies))
          yield* there.publish(
            message({ by: alice, channel: "3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60", content: "hello" })
          )
          yield* eventually(here.squad, (all) => all.length === 1)
          answers.push((yield* here.send("msg_1", "an answer")).body)
          there.faultNext("/events", { type: "status", status: 401, body: { error: `NIP-98: ${tag[3]}` } })
          answers.push((yield* here.send("msg_2", "refused")).body)
          answers.push(
            yield* here.test,
            (yield* here.poll).body,
            yield* here.deliveries(),
            yield* here.threads
          )
          answers.push((yield* here.call("GET", "/adapters")).body, yield* here.squad)
          answers.push((yield* request("GET", "/api/audit?limit=1000", { as: "admin" })).body)
          answers.push((yield* request("GET", "/api/health/deep", { as: "admin" })).body)
          answers.push((yield* here.disconnect).body)
        }).pipe(
          Effect.provide(
            Layer.merge(
              worldIn(directory, { secrets }),
              Logger.replace(
                Logger.defaultLogger,
                Logger.make((entry) => logged.push(Logger.stringLogger.log(entry)))
              )
            )
          )
        )
        // The owner's word was used, or the relay would have let nobody in.
        expect(
          there.journal.auths.some(
            ({ accepted, event }) => accepted && event.tags.some(([name]) => name === "auth")
          )
        ).toBe(true)
        const authorizations = there.journal.http.flatMap(({ authEvent }) => authEvent?.sig ?? [])
        expect(authorizations.length).toBeGreaterThan(3)
        const signatures = there.journal.accepted.map(({ sig }) => sig)
        const told = JSON.stringify(answers) + JSON.stringify(logged)
        const stored = contents(directory)
        for (const secret of [bridge.hex, bridge.nsec, tag[3] ?? "", ...authorizations]) {
          expect(secret.length).toBeGreaterThan(20)
          expect(told).not.toContain(secret)
          expect(stored).not.toContain(secret)
        }
        for (const signature of signatures) expect(told).not.toContain(signature)
        expect(stored).toContain("env:RELAY_AUTH_TAG")
      })
  )
})
