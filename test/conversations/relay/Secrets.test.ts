import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Logger, Redacted } from "effect"
import { Vault } from "../../../src/kernel/Vault.ts"
import * as Sql from "../../../src/storage/Sql.ts"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
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
    "are in no answer, no log, no file and no backup, and neither are signatures, of open messages too",
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
          there.faultNext(
            "/events",
            { type: "status", status: 401, body: { error: `NIP-98: ${tag[3]}` } },
            50
          )
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
          answers.push((yield* request("POST", "/api/maintenance/backup", { as: "admin" })).body)
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
        const open = there.journal.http.flatMap(({ body, path, status }) =>
          path === "/events" && status !== 200 ? [body] : []
        )
        const signatures = [...there.journal.accepted, ...open.map((body) => JSON.parse(body))].map(
          ({ sig }): string => sig
        )
        expect(signatures.length).toBeGreaterThanOrEqual(3)
        const told = JSON.stringify(answers) + JSON.stringify(logged)
        const stored = contents(directory)
        for (const secret of [bridge.hex, bridge.nsec, tag[3] ?? "", ...authorizations]) {
          expect(secret.length).toBeGreaterThan(20)
          expect(told).not.toContain(secret)
          expect(stored).not.toContain(secret)
        }
        for (const signature of signatures) {
          expect(signature).toMatch(/^[0-9a-f]{128}$/)
          expect(told).not.toContain(signature)
          expect(stored).not.toContain(signature)
        }
        expect(told).toContain("SQLite format 3")
        expect(stored).toContain("env:RELAY_AUTH_TAG")
      })
  )

  it.scopedLive("are sealed at the start when an earlier version stored them as they are", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const there = yield* relay()
      there.deaf(true)
      const events = sql`SELECT delivery_id AS id, event FROM relay_outgoing`
      const plain = yield* Effect.gen(function* () {
        const here = yield* routes
        yield* here.put(adapterBody(there.url))
        yield* here.map()
        yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
        there.faultNext("/events", { type: "cut", stored: false })
        yield* here.send("msg_1", "hello")
        const { select, write } = yield* Storage
        const [row] = yield* select<{ id: string; event: string }>(events)
        const { open } = yield* Vault
        const text = Redacted.value(
          Either.getOrThrow(open(row?.event ?? "", ["relay-outgoing", row?.id ?? "", "event"]))
        )
        yield* write(Sql.run(sql`UPDATE relay_outgoing SET event = ${text}, next_at = NULL`))
        return text
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const { select } = yield* Storage
        const [row] = yield* select<{ event: string; at: number | null }>(
          sql`SELECT event, next_at AS at FROM relay_outgoing`
        )
        expect(row?.event).toMatch(/^v1\./)
        expect(row?.at).toBeGreaterThan(0)
        const here = yield* routes
        expect((yield* here.poll).body).toMatchObject({ checked: 1, success: 1, resubmitted: 1 })
        expect(there.journal.http.at(-1)?.body).toBe(plain)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})
