import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  isRelay,
  isTeamchat,
  type RelayAdapter,
  type RelayAdapterBody
} from "../../../src/conversations/adapters/Adapter.ts"
import { Adapters } from "../../../src/conversations/adapters/Adapters.ts"
import { AdapterKinds, type Kind, type Kinds } from "../../../src/conversations/adapters/Kinds.ts"
import { actorOf } from "../../../src/kernel/Actor.ts"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { tester } from "../../support/Journal.ts"
import { storageInMemory } from "../../support/TestStorage.ts"

const unused = Effect.dieMessage("No test asks for this")

/** How the relays of a test answer, and what they were told. */
interface Behaviour {
  readonly openDeliveries: number
  /** The fields of each body that only an administrator may set. */
  readonly administrative: ReadonlyArray<string>
  /** The adapters that were woken. */
  readonly woken: Array<string>
}

const relay = ({
  administrative,
  openDeliveries,
  woken
}: Behaviour): Kind<RelayAdapter, RelayAdapterBody> => ({
  owns: isRelay,
  shown: (adapter) => ({ ...adapter, relayHttpUrl: "shown" }),
  configure: (id, { displayName, enabled }) =>
    Effect.succeed((before, at) =>
      Effect.succeed({
        adapter: {
          kind: "relay",
          id,
          displayName,
          enabled,
          relayHttpUrl: "https://relay.example",
          relayWebSocketUrl: null,
          expectedCommunity: null,
          publicKey: null,
          credentialRef: null,
          authTagRef: null,
          allowLocalhost: false,
          allowPrivateNetwork: false,
          command: null,
          createdAt: before?.createdAt ?? at,
          updatedAt: at
        },
        administrative,
        issues: [],
        keepSecrets: run(
          sql`INSERT INTO teamchat_secrets (adapter_id, webhook_url, credential) VALUES (${id}, NULL, ${displayName})`
        )
      })
    ),
  changed: (id) => Effect.sync(() => woken.push(id)),
  openDeliveries: () => Effect.succeed(openDeliveries),
  forget: (id) => run(sql`DELETE FROM teamchat_secrets WHERE adapter_id = ${id}`),
  health: () => unused,
  test: () => unused,
  send: () => unused,
  poll: () => unused
})

/** There is no team chat: a PUT is begun, and must not get further. */
const teamchat: Kinds["teamchat"] = {
  owns: isTeamchat,
  shown: (adapter) => adapter,
  configure: () => Effect.succeed(() => unused),
  changed: () => unused,
  openDeliveries: () => unused,
  forget: () => unused,
  health: () => unused,
  test: () => unused,
  send: () => unused,
  poll: undefined
}

/** Adapters over kinds that only this test knows: neither relay nor team chat is there. */
const adaptersWith = (behaviour: Partial<Behaviour>) =>
  Adapters.layer.pipe(
    Layer.provide(
      Layer.succeed(AdapterKinds, {
        relay: relay({ administrative: [], openDeliveries: 0, woken: [], ...behaviour }),
        teamchat
      })
    ),
    Layer.provideMerge(storageInMemory)
  )

const body: RelayAdapterBody = { kind: "relay", displayName: "Community", enabled: true }
const agent = actorOf({ name: "agent", role: "agent", authMethod: "api-key" })
const secrets = Effect.flatMap(Storage, ({ select }) =>
  select<{ readonly id: string; readonly credential: string }>(
    sql`SELECT adapter_id AS id, credential FROM teamchat_secrets`
  )
)

describe("an adapter of a kind", () => {
  it.effect("is stored with the secrets that its kind keeps, and then woken", () => {
    const woken: Array<string> = []
    return Effect.gen(function* () {
      const { get, put, shown } = yield* Adapters
      const adapter = yield* put("community", body, tester)
      assert.deepStrictEqual(yield* get("community"), adapter)
      assert.deepStrictEqual(yield* secrets, [{ id: "community", credential: "Community" }])
      assert.deepStrictEqual(woken, ["community"])
      assert.deepInclude(shown(adapter), { id: "community", relayHttpUrl: "shown" })
    }).pipe(Effect.provide(adaptersWith({ woken })))
  })

  it.effect("is not stored, keeps no secret and wakes nobody when its kind asks for an administrator", () => {
    const woken: Array<string> = []
    return Effect.gen(function* () {
      const { list, put } = yield* Adapters
      const denied = yield* Effect.flip(put("community", body, agent))
      assert.strictEqual(denied._tag, "FieldsDenied")
      assert.deepStrictEqual(yield* list, [])
      assert.deepStrictEqual(yield* secrets, [])
      assert.deepStrictEqual(woken, [])
    }).pipe(Effect.provide(adaptersWith({ woken, administrative: ["command"] })))
  })

  it.effect("keeps its kind", () =>
    Effect.gen(function* () {
      const { put } = yield* Adapters
      yield* put("community", body, tester)
      const refused = yield* Effect.flip(put("community", { ...body, kind: "teamchat" }, tester))
      assert.deepInclude(refused, { _tag: "AdapterOfOtherKind", kind: "relay" })
    }).pipe(Effect.provide(adaptersWith({})))
  )

  it.effect("stays while its kind says that messages are on their way", () =>
    Effect.gen(function* () {
      const { get, put, remove } = yield* Adapters
      const adapter = yield* put("community", { ...body, enabled: false }, tester)
      const refused = yield* Effect.flip(remove("community", tester))
      assert.deepInclude(refused, { _tag: "AdapterInUse", enabled: false, openDeliveries: 2 })
      assert.deepStrictEqual(yield* get("community"), adapter)
      assert.lengthOf(yield* secrets, 1)
    }).pipe(Effect.provide(adaptersWith({ openDeliveries: 2 })))
  )

  it.effect("is forgotten together with what its kind knows", () =>
    Effect.gen(function* () {
      const { list, put, remove } = yield* Adapters
      yield* put("community", { ...body, enabled: false }, tester)
      yield* remove("community", tester)
      assert.deepStrictEqual(yield* list, [])
      assert.deepStrictEqual(yield* secrets, [])
    }).pipe(Effect.provide(adaptersWith({})))
  )
})
