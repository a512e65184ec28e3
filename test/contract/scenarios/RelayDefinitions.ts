import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import * as ProfileWriting from "../../../src/board/agent-profiles/ProfileWriting.ts"
import * as RosterWriting from "../../../src/board/team-roster/RosterWriting.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { adapterPath, adapterTo } from "../../integrations/relay/definitions/Community.ts"
import { persona } from "../../support/relay/Drafts.ts"
import { identities } from "../../support/relay/Keys.ts"
import { startRelay } from "../../support/relay/Relay.ts"
import { type Ask, given, just, type Scenario } from "./Scenario.ts"

/** One relay for all scenarios, gone with the process. */
let running: ReturnType<typeof startRelay> | undefined
const relay = () => {
  running ??= startRelay()
  return running
}

const path = { adapterId: "community" }

const aRelay = (ask: Ask) =>
  Effect.gen(function* () {
    const { url } = yield* Effect.promise(relay)
    yield* ask("PUT", adapterPath, { as: "admin", body: adapterTo(url) })
    yield* ask("POST", `${adapterPath}/test`, { as: "admin" })
  })

const aDefinition = (ask: Ask) =>
  Effect.gen(function* () {
    yield* aRelay(ask)
    const { seed } = yield* Effect.promise(relay)
    const d = `scout-${randomUUID()}`
    yield* seed([persona({ by: identities.alice, d, content: { display_name: "Scout" } })])
    return { authorPubkey: identities.alice.publicKey, kind: 30175, dTag: d }
  })

const aPreview = (ask: Ask) =>
  Effect.gen(function* () {
    const asked = { coordinate: yield* aDefinition(ask), action: "create" }
    const { body } = yield* ask("POST", `${adapterPath}/relay/definitions/preview`, {
      as: "admin",
      body: asked
    })
    const { expectedEventId, expectedLocalRevision } = body
    return { ...asked, expectedEventId, expectedLocalRevision }
  })

const content = { name: "Scout", prompt: "Look", preferences: {}, metadata: {} }

const aProfile = Effect.flatMap(Storage, ({ write }) =>
  Effect.orDie(write(ProfileWriting.create({ id: `relay-${randomUUID()}`, content }, system)))
)

const ofProfile =
  (body?: object): Scenario =>
  () =>
    Effect.map(aProfile, ({ id }) => ({ path: { id }, ...(body === undefined ? {} : { body }) }))

const aRoster = Effect.flatMap(Storage, ({ write }) => {
  const slug = randomUUID()
  const coordinate = { authorPubkey: identities.alice.publicKey, kind: 30176, dTag: slug } as const
  const draft = {
    id: `relay-team-${slug}`,
    content: { name: "Core", members: [], unresolved: ["scout"] },
    source: {
      provider: "relay",
      adapterId: "community",
      coordinate,
      eventId: "a".repeat(64),
      linkedAt: "2026-01-01T00:00:00.000Z"
    }
  } as const
  return Effect.orDie(write(RosterWriting.create(draft, system)))
})

/** Definitions at a relay that runs here, and what they become on the board. */
export const relayDefinitions: Readonly<Record<string, Scenario>> = {
  "agentProfiles.list": () => Effect.as(aProfile, {}),
  "agentProfiles.get": ofProfile(),
  "agentProfiles.patch": ofProfile({ enabled: true }),
  "agentProfiles.remove": ofProfile(),
  "relayDefinitions.list": given(aDefinition, () => ({ path })),
  "relayDefinitions.links": given(aRelay, () => ({ path })),
  "relayDefinitions.preview": given(aDefinition, (coordinate) => ({
    path,
    body: { coordinate, action: "create" },
    links: 0
  })),
  "relayDefinitions.import": given(aPreview, (body) => ({ path, body })),
  "teamRoster.get": just(),
  "teamRoster.removeImported": () => Effect.map(aRoster, ({ id }) => ({ path: { rosterId: id } }))
}
