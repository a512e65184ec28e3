import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { reservationRetention } from "../../../src/governance/admission/Retention.ts"
import { LaunchSource } from "../../../src/governance/capacity/AdmissionRequest.ts"
import { rankOf } from "../../../src/governance/capacity/Schedule.ts"
import { inspectionWindow } from "../../../src/governance/queue/Entry.ts"
import * as EntryRepo from "../../../src/governance/queue/EntryRepo.ts"
import { entryRetention, withdraw } from "../../../src/governance/queue/Units.ts"
import { founderOf } from "../../../src/identity/Standing.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { tester } from "../../support/Journal.ts"
import { storageInMemory } from "../../support/TestStorage.ts"
import { end, launch, launchLater, requestOf, room, running, states } from "./Launches.ts"

describe("the window of those who wait", () => {
  it.scoped("holds the thousand that rank highest, an old one of low priority among them", () =>
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      const scheduler = { agePromotionMs: 100, maxPromotions: 3 }
      const founder = founderOf(tester)
      const enter = (id: string, priority: "low" | "high", at: number) =>
        EntryRepo.insert({ id, request: requestOf(id, { priority }), founder, at })
      yield* write(
        Effect.gen(function* () {
          yield* enter("patient", "low", 0)
          for (let index = 0; index < inspectionWindow; index++) yield* enter(`high${index}`, "high", 450)
          yield* enter("young", "low", 450)
        })
      )
      const at = 500
      const window = yield* read(EntryRepo.window(LaunchSource.literals, at, scheduler))
      assert.strictEqual(window.length, inspectionWindow)
      assert.strictEqual(window[0]?.seq, 1)
      const ranks = window.map((entry) => rankOf(entry, { at, scheduler }))
      assert.deepStrictEqual(
        ranks,
        ranks.toSorted((one, other) => other - one)
      )
      assert.deepStrictEqual(yield* read(EntryRepo.window(["goal"], at, scheduler)), [])
    }).pipe(Effect.provide(storageInMemory))
  )
})

describe("the record of admission", () => {
  it.scoped("loses what is over and old, and nothing that is not", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* room(1)
      yield* launch("over")
      yield* end("over")
      yield* launch("runs")
      yield* launchLater("stopped")
      yield* write(withdraw("stopped", tester))
      yield* launchLater("waits")
      const all = { before: Number.MAX_SAFE_INTEGER, newest: 0 }
      assert.strictEqual(yield* write(reservationRetention.forget({ ...all, newest: 2 }, 100)), 0)
      assert.strictEqual(yield* write(reservationRetention.forget({ ...all, before: 0 }, 100)), 0)
      assert.strictEqual(yield* write(reservationRetention.forget(all, 100)), 1)
      assert.strictEqual(yield* write(entryRetention.forget(all, 100)), 1)
      assert.strictEqual(yield* running, 1)
      assert.deepStrictEqual(yield* states, { waits: "queued" })
    }).pipe(Effect.provide(storageInMemory))
  )
})
