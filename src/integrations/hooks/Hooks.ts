import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { type FieldsDenied, requireAdministrator } from "../../kernel/FieldRights.ts"
import { newId } from "../../kernel/Ids.ts"
import { Outbound } from "../../kernel/outbound/Outbound.ts"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import { redactJson } from "../../kernel/Redaction.ts"
import { Secrets } from "../../kernel/Secrets.ts"
import { now, nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import * as Outbox from "../../storage/events/Outbox.ts"
import * as Projection from "../../storage/events/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { startDeliveries } from "./DeliveryWorker.ts"
import { actionIssues, type Judges, secretsMoved } from "./definitions/ActionRules.ts"
import type { Fired, Firing } from "./definitions/FireHook.ts"
import { type Hook, type HookAction, type HookDraft, type HookPatch, hookLimit } from "./definitions/Hook.ts"
import { HookLimitReached, HookNotFound, HookUrlRefused } from "./Errors.ts"
import { HookCreated, HookDeleted, HookFired, HookUpdated } from "./Events.ts"
import type { Execution } from "./Execution.ts"
import * as ExecutionRepo from "./ExecutionRepo.ts"
import type { Facts } from "./HookFacts.ts"
import { hookQueue } from "./HookQueue.ts"
import * as HookRepo from "./HookRepo.ts"

/** The webhooks of the board. */
export interface HooksService {
  readonly list: Effect.Effect<ReadonlyArray<Hook>>
  readonly get: (id: string) => Effect.Effect<Hook, HookNotFound>
  readonly create: (
    draft: HookDraft,
    by: ActorContext
  ) => Effect.Effect<Hook, HookUrlRefused | FieldsDenied | HookLimitReached>
  readonly patch: (
    id: string,
    patch: HookPatch,
    by: ActorContext
  ) => Effect.Effect<Hook, HookNotFound | HookUrlRefused | FieldsDenied>
  readonly remove: (id: string, by: ActorContext) => Effect.Effect<void, HookNotFound>
  /** Queues deliveries by hand: for one hook, switched on or not, or for all that wait for an event. */
  readonly fire: (firing: Firing, by: ActorContext) => Effect.Effect<Fired, HookNotFound>
  readonly executions: (
    selection: ExecutionRepo.Selection & { readonly limit?: number | undefined }
  ) => Effect.Effect<Page<Execution>>
}

export class Hooks extends Context.Tag("muster/Hooks")<Hooks, HooksService>() {
  static readonly layer = Layer.scoped(
    Hooks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const judges: Judges = { outbound: yield* Outbound, secrets: yield* Secrets }
      const { catchUp } = yield* Projection.keep(hookQueue)
      yield* startDeliveries

      return Hooks.of({
        list: storage.read(HookRepo.all),
        get: (id) => storage.read(requireHook(id)),
        create: Effect.fn("Hooks.create")(function* (draft, by) {
          yield* admit(draft.action, undefined, by, judges)
          return yield* storage.write(createHook(draft, by))
        }),
        patch: Effect.fn("Hooks.patch")(function* (id, patch, by) {
          // Events from before the change are for the hook as it was.
          yield* catchUp
          return yield* storage.write(patchHook(id, patch, by, judges))
        }),
        // Events from before the removal are queued, then dropped with the hook, and its executions say so.
        remove: Effect.fn("Hooks.remove")((id, by) =>
          Effect.zipRight(catchUp, storage.write(removeHook(id, by)))
        ),
        fire: Effect.fn("Hooks.fire")((firing, by) => storage.write(fireHooks(firing, by))),
        executions: ({ limit = defaultLimit, ...selection }) =>
          Effect.zipRight(catchUp, storage.read(ExecutionRepo.newest(selection, limit)))
      })
    })
  )
}

const requireHook = (id: string): Effect.Effect<Hook, HookNotFound, Sql> =>
  Effect.filterOrFail(
    HookRepo.find(id),
    (found) => found !== undefined,
    () => new HookNotFound({ hookId: id })
  )

/** The fields of a hook in its events. */
const told = ({ enabled, event, id }: Hook) => ({ resourceId: id, event, enabled })

const createHook = ({ enabled = true, filter = {}, ...draft }: HookDraft, by: ActorContext) =>
  Effect.gen(function* () {
    if ((yield* HookRepo.count) >= hookLimit) return yield* new HookLimitReached({ limit: hookLimit })
    const at = yield* nowIso
    const id = yield* newId("hook")
    const hook: Hook = { id, ...draft, filter, enabled, createdAt: at, updatedAt: at, createdBy: by.name }
    yield* HookRepo.insert(hook, yield* Outbox.head)
    yield* Journal.record(new HookCreated(told(hook)), by)
    return hook
  })

/** Refuses an action that the actor may not set, or that may not be called. */
const admit = (action: HookAction, before: HookAction | undefined, by: ActorContext, judges: Judges) =>
  Effect.gen(function* () {
    yield* requireAdministrator(by, secretsMoved(action, before))
    const issues = actionIssues(action, judges)
    if (issues.length > 0) return yield* new HookUrlRefused({ issues })
  })

const patchHook = (id: string, patch: HookPatch, by: ActorContext, judges: Judges) =>
  Effect.gen(function* () {
    const before = yield* requireHook(id)
    if (patch.action !== undefined) yield* admit(patch.action, before.action, by, judges)
    if (Object.keys(patch).length === 0) return before
    const hook: Hook = { ...before, ...patch, updatedAt: yield* nowIso }
    yield* HookRepo.update(hook, yield* Outbox.head)
    yield* Journal.record(new HookUpdated(told(hook)), by)
    return hook
  })

const removeHook = (id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const hook = yield* requireHook(id)
    yield* HookRepo.remove(id)
    yield* ExecutionRepo.dropAllOf(id, "hook-deleted")
    yield* Journal.record(new HookDeleted(told(hook)), by)
  })

const fireHooks = (firing: Firing, by: ActorContext) =>
  Effect.gen(function* () {
    const hooks =
      "hookId" in firing ? [yield* requireHook(firing.hookId)] : yield* HookRepo.waitingFor(firing.event)
    const facts: Facts = {
      taskId: null,
      oldStatus: null,
      newStatus: null,
      timestamp: yield* nowIso,
      ...(firing.payload === undefined ? {} : { payload: redactJson(firing.payload) })
    }
    const at = yield* now
    const deliveries = yield* Effect.forEach(hooks, ({ event, id: hookId }) =>
      Effect.gen(function* () {
        const id = yield* newId("delivery")
        yield* ExecutionRepo.enqueue({ id, hookId, event, facts }, at)
        return { id, hookId, event }
      })
    )
    yield* Journal.record(
      new HookFired({
        resourceId: "hookId" in firing ? firing.hookId : firing.event,
        deliveries: deliveries.length
      }),
      by
    )
    return { success: true as const, deliveries }
  })
