import { Effect } from "effect"
import * as AgentProfileRepo from "../../src/board/agent-profiles/AgentProfileRepo.ts"
import * as ProfileWriting from "../../src/board/agent-profiles/ProfileWriting.ts"
import * as RosterRepo from "../../src/board/team-roster/RosterRepo.ts"
import * as RosterWriting from "../../src/board/team-roster/RosterWriting.ts"
import { system } from "../../src/kernel/Actor.ts"
import { Storage } from "../../src/storage/Storage.ts"

const agentProfile = "relay-scout"
const roster = "relay-team-core"

const source = {
  provider: "relay",
  adapterId: "demo",
  coordinate: { authorPubkey: "a".repeat(64), kind: 30176, dTag: "core" },
  eventId: "b".repeat(64),
  linkedAt: "2026-01-01T00:00:00.000Z"
} as const

/** A profile and a roster, as imports bring them in: no request can make them without a relay. */
export const imported = Effect.flatMap(Storage, ({ write }) =>
  Effect.gen(function* () {
    if ((yield* AgentProfileRepo.find(agentProfile)) === undefined) {
      const content = { name: "Scout", prompt: "Look", preferences: {}, metadata: {} }
      yield* ProfileWriting.create({ id: agentProfile, content }, system)
    }
    if ((yield* RosterRepo.find(roster)) === undefined) {
      const members = [{ slug: "scout", profileId: agentProfile }]
      const content = { name: "Core", members, unresolved: ["writer"] }
      yield* RosterWriting.create({ id: roster, content, source }, system)
    }
    return { agentProfile, roster }
  }).pipe(Effect.orDie, write)
)
