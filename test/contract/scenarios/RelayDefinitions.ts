import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { adapterPath } from "../../conversations/definitions/Community.ts"
import { adapterBody } from "../../conversations/relay/Bridged.ts"
import { persona } from "../../support/relay/Drafts.ts"
import { identities } from "../../support/relay/Keys.ts"
import { startRelay } from "../../support/relay/Relay.ts"
import { imported } from "../Imported.ts"
import { type Ask, given, type Scenario } from "./Scenario.ts"

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
    yield* ask("PUT", adapterPath, { as: "admin", body: adapterBody(url) })
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

const ofProfile = (body?: object): Scenario =>
  given(
    () => imported,
    ({ agentProfile: id }) => ({ path: { id }, ...(body === undefined ? {} : { body }) })
  )

/** Definitions at a relay that runs here, and what they become on the board. */
export const relayDefinitions: Readonly<Record<string, Scenario>> = {
  "agentProfiles.list": given(
    () => imported,
    () => ({})
  ),
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
  "teamRoster.get": given(
    () => imported,
    () => ({})
  ),
  "teamRoster.removeImported": given(
    () => imported,
    ({ roster: rosterId }) => ({ path: { rosterId } })
  )
}
