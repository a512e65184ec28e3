import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { TeamchatAdapter, TeamchatAdapterBody } from "../../../src/conversations/adapters/Adapter.ts"
import { Adapters } from "../../../src/conversations/adapters/Adapters.ts"
import type { SendRequest } from "../../../src/conversations/deliveries/Send.ts"
import { Teamchat } from "../../../src/conversations/teamchat/Teamchat.ts"
import { actorOf } from "../../../src/kernel/Actor.ts"

/** Somebody who may do everything. */
export const admin = actorOf({ name: "admin", role: "admin", authMethod: "api-key" })

const team = { kind: "teamchat", displayName: "The team", enabled: true } as const

/** Configures a team chat on this machine. */
export const putTeam = (
  more: Partial<TeamchatAdapterBody> = {},
  id = "team"
): Effect.Effect<TeamchatAdapter, never, Adapters> =>
  Effect.gen(function* () {
    const adapter = yield* Effect.flatMap(Adapters, ({ put }) =>
      Effect.orDie(put(id, { ...team, allowLocalhost: true, ...more }, admin))
    )
    return adapter.kind === "teamchat" ? adapter : assert.fail("this is no team chat")
  })

/** Configures one, and gives what is wrong with it. */
export const refusedTeam = (more: Partial<TeamchatAdapterBody>, id = "team") =>
  Effect.gen(function* () {
    const { put } = yield* Adapters
    const refused = yield* Effect.flip(put(id, { ...team, ...more }, admin))
    return refused._tag === "AdapterRefused"
      ? refused.issues.map(({ path }) => path)
      : assert.fail(refused._tag)
  })

/** The adapter as it is now. */
export const getTeam = (id = "team") =>
  Effect.flatMap(Adapters, ({ get }) =>
    Effect.map(Effect.orDie(get(id)), (adapter) =>
      adapter.kind === "teamchat" ? adapter : assert.fail("this is no team chat")
    )
  )

export const healthOfTeam = (id = "team") =>
  Effect.flatMap(Teamchat, ({ health }) => Effect.flatMap(getTeam(id), health))

export const testTeam = (id = "team") =>
  Effect.flatMap(Teamchat, ({ test }) => Effect.flatMap(getTeam(id), test))

/** Sends a message as the admin. */
export const sendTo = (squadMessageId: string, more: Partial<SendRequest> = {}, id = "team") =>
  Effect.gen(function* () {
    const { send } = yield* Teamchat
    const request = {
      target: { kind: "squad", squadMessageId },
      message: "The build is green",
      actor: "codex",
      ...more
    } as const
    return yield* send(yield* getTeam(id), request, admin)
  })
