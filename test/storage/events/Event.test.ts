import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck as fc, Schema } from "effect"
import { StoredUnreadable } from "../../../src/kernel/Json.ts"
import {
  changeOf,
  Event,
  type EventClass,
  eventReader,
  type Fields
} from "../../../src/storage/events/Event.ts"
import { tester } from "../../support/Journal.ts"

const source = join(import.meta.dirname, "..", "..", "..", "src")

/** A class of events, as a room declares it. */
type Declared = EventClass<string, string, Fields>

const isDeclared = (value: unknown): value is Declared =>
  typeof value === "function" && "_tag" in value && "fields" in value && "read" in value

const rooms = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(?:^|\/)(?:Events|RestoreMark)\.ts$/.test(file)
)
const declared = (
  await Promise.all(
    rooms.map((file): Promise<Readonly<Record<string, unknown>>> => import(join(source, file)))
  )
).flatMap((room) => Object.values(room).filter(isDeclared))

const stored = (event: Event, payload = JSON.stringify(changeOf(event, tester).payload)) => ({
  seq: 1,
  resource: event.resource,
  resourceId: event.resourceId,
  streamSeq: 1,
  kind: event._tag,
  payload,
  actor: tester.name,
  createdAt: 0
})

class LampLit extends Event("lamp.lit", "lamp", { brightness: Schema.Int }) {}
class LampOut extends Event("lamp.out", "lamp", {}) {}
const readLamp = eventReader([LampLit, LampOut])

describe("an event", () => {
  it("comes back from storage as it was recorded, whatever its room", () => {
    assert.isAbove(declared.length, 100)
    for (const one of declared) {
      const read = eventReader([one, LampOut])
      const facts = Arbitrary.make(Schema.Struct({ resourceId: Schema.String, ...one.fields }))
      fc.assert(
        fc.property(facts, (told) => {
          const event = new one(told)
          assert.deepStrictEqual(read(stored(event)), event)
        }),
        { numRuns: 10 }
      )
    }
  })

  it("has a kind that no other room tells of", () => {
    const kinds = declared.map(({ _tag }) => _tag)
    assert.deepStrictEqual(kinds.toSorted(), [...new Set(kinds)].toSorted())
  })

  it("is nothing to those who read others, and a defect where it does not say what its class says", () => {
    const lit = new LampLit({ resourceId: "hall", brightness: 7 })
    assert.deepStrictEqual(readLamp(stored(lit)), lit)
    assert.isUndefined(readLamp({ ...stored(lit), kind: "lamp.sold" }))
    assert.throws(() => readLamp(stored(lit, '{"brightness":"bright"}')), StoredUnreadable)
    assert.throws(() => readLamp(stored(lit, "{")), StoredUnreadable)
  })
})
