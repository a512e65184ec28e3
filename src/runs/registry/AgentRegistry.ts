import { Context, Effect, Layer } from "effect"
import { renewClaim } from "../../board/tasks/Units.ts"
import { type ActorContext, credentialName } from "../../kernel/Actor.ts"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { renewCapacityOf } from "../attempts/Units.ts"
import { EntryNotOwn, RegistrationNotFound, RegistryFull } from "./Errors.ts"
import { AgentDeregistered, AgentRegistered, AgentStateChanged } from "./Events.ts"
import { HeartbeatTimeout } from "./HeartbeatTimeout.ts"
import {
  beat,
  forgottenMs,
  type Heartbeat,
  type Registration,
  type RegistrationDraft,
  register,
  registrationLimit,
  type StoredRegistration,
  shown,
  stateAt
} from "./Registration.ts"
import * as RegistrationRepo from "./RegistrationRepo.ts"

/** The agents that work elsewhere and report to the board (spec 3-runs, Agent registry and external lifecycle). */
export interface AgentRegistryService {
  /** Registers an agent in the place of the one that its id may have. */
  readonly register: (
    draft: RegistrationDraft,
    by: ActorContext
  ) => Effect.Effect<Registration, EntryNotOwn | RegistryFull>
  readonly heartbeat: (
    id: string,
    heartbeat: Heartbeat,
    by: ActorContext
  ) => Effect.Effect<Registration, EntryNotOwn | RegistrationNotFound>
  readonly deregister: (
    id: string,
    by: ActorContext
  ) => Effect.Effect<void, EntryNotOwn | RegistrationNotFound>
  /** The newest registrations. */
  readonly list: (limit?: number) => Effect.Effect<Page<Registration>>
  readonly get: (id: string) => Effect.Effect<Registration, RegistrationNotFound>
}

export class AgentRegistry extends Context.Tag("muster/AgentRegistry")<
  AgentRegistry,
  AgentRegistryService
>() {
  static readonly layer = Layer.effect(
    AgentRegistry,
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      const { milliseconds } = yield* HeartbeatTimeout
      const asSeen = (stored: StoredRegistration) => Effect.map(now, (at) => shown(stored, at, milliseconds))
      return AgentRegistry.of({
        register: Effect.fn("AgentRegistry.register")(function* (draft, by) {
          yield* requireOwn(draft.id, by)
          return yield* asSeen(yield* write(put(draft, by)))
        }),
        heartbeat: Effect.fn("AgentRegistry.heartbeat")(function* (id, heartbeat, by) {
          yield* requireOwn(id, by)
          return yield* asSeen(yield* write(hear(id, heartbeat, milliseconds, by)))
        }),
        deregister: Effect.fn("AgentRegistry.deregister")(function* (id, by) {
          yield* requireOwn(id, by)
          yield* write(Effect.zipRight(existing(id), remove(id, false, by)))
        }),
        list: Effect.fn("AgentRegistry.list")(function* (limit = defaultLimit) {
          const { found, total } = yield* read(
            Effect.all({ found: RegistrationRepo.newest(limit), total: RegistrationRepo.count })
          )
          return { items: yield* Effect.forEach(found, asSeen), total }
        }),
        get: Effect.fn("AgentRegistry.get")((id) => Effect.flatMap(read(existing(id)), asSeen))
      })
    })
  )
}

/**
 * Whoever has agent:write writes any entry. An agent writes the one that bears the name of its credential (ruling 76): a
 * display name is anybody's choice and counts for nothing. It comes before the question whether there is such an entry.
 */
const requireOwn = (id: string, by: ActorContext): Effect.Effect<void, EntryNotOwn> =>
  by.permissions.has("agent:write") || credentialName(by) === id
    ? Effect.void
    : new EntryNotOwn({ requiredPermission: "agent:write" })

const existing = (id: string): Effect.Effect<StoredRegistration, RegistrationNotFound, Sql> =>
  Effect.flatMap(RegistrationRepo.find(id), (found) =>
    found === undefined ? new RegistrationNotFound({ agentId: id }) : Effect.succeed(found)
  )

const put = (
  draft: RegistrationDraft,
  by: ActorContext
): Effect.Effect<StoredRegistration, RegistryFull, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    const before = yield* RegistrationRepo.find(draft.id)
    if (before === undefined) yield* makeRoom(at, by)
    const stored = register(draft, at)
    yield* RegistrationRepo.put(stored)
    yield* Journal.record(
      new AgentRegistered({ resourceId: draft.id, manifestDigest: stored.manifest.digest }),
      by
    )
    return stored
  })

/** In a registry that is full, an agent that was not heard of for a day gives way to a new one. */
const makeRoom = (at: number, by: ActorContext): Effect.Effect<void, RegistryFull, Sql> =>
  Effect.gen(function* () {
    if ((yield* RegistrationRepo.count) < registrationLimit) return
    const forgotten = yield* RegistrationRepo.longestSilent(at - forgottenMs)
    if (forgotten === undefined) return yield* new RegistryFull({ limit: registrationLimit })
    yield* remove(forgotten, true, by)
  })

const remove = (id: string, forgotten: boolean, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    RegistrationRepo.remove(id),
    Journal.record(new AgentDeregistered({ resourceId: id, forgotten }), by)
  )

/** Hears an agent, and renews its claim of the task that it works on. What it said before costs one column, and no event: agents say it every two minutes. */
const hear = (
  id: string,
  heartbeat: Heartbeat,
  timeoutMs: number,
  by: ActorContext
): Effect.Effect<StoredRegistration, RegistrationNotFound, Sql> =>
  Effect.gen(function* () {
    const before = yield* existing(id)
    yield* renewCapacityOf(id)
    const at = yield* now
    const after = beat(before, heartbeat, at)
    if (after.currentTaskId !== null) yield* renewClaim(after.currentTaskId, by)
    const from = stateAt(before, at, timeoutMs)
    const isNews =
      from !== after.status ||
      before.currentTaskId !== after.currentTaskId ||
      before.manifest.digest !== after.manifest.digest
    if (isNews || before.status !== after.status || before.currentTaskTitle !== after.currentTaskTitle) {
      yield* RegistrationRepo.put(after)
    } else {
      yield* RegistrationRepo.touch(id, at)
    }
    if (isNews) {
      yield* Journal.record(
        new AgentStateChanged({
          resourceId: id,
          from,
          to: after.status,
          currentTaskId: after.currentTaskId,
          manifestDigest: after.manifest.digest
        }),
        by
      )
    }
    return after
  })
