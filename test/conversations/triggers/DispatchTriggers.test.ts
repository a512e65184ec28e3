import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel, Queue, Ref, type Scope } from "effect"
import * as AuditRepo from "../../../src/conversations/triggers/AuditRepo.ts"
import { considerTriggers } from "../../../src/conversations/triggers/ConsiderTriggers.ts"
import { startDispatching } from "../../../src/conversations/triggers/DispatchTriggers.ts"
import {
  type Dispatched,
  type ExternalTrigger,
  ExternalTriggers
} from "../../../src/conversations/triggers/ExternalTriggers.ts"
import * as RuleRepo from "../../../src/conversations/triggers/RuleRepo.ts"
import * as TriggerRepo from "../../../src/conversations/triggers/TriggerRepo.ts"
import { founderOf, Standing } from "../../../src/identity/Standing.ts"
import { actorOf } from "../../../src/kernel/Actor.ts"
import { Workers } from "../../../src/kernel/Worker.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { storage } from "../../support/TestStorage.ts"
import { adapterId, mappingId, messageOf } from "./Rules.ts"

const maker = actorOf({ name: "ann", role: "admin", authMethod: "api-key" })
const at = "2026-11-21T09:00:00.000Z"

const insertRule = (id: string) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(
      RuleRepo.insert({
        founder: founderOf(maker),
        rule: {
          schemaVersion: "relay-workflow-trigger/v1",
          id,
          adapterId,
          mappingId,
          workflowId: "deploy",
          event: "message.posted",
          enabled: true,
          createdBy: maker.name,
          createdAt: at,
          updatedAt: at
        }
      })
    )
  )

const arrive = (eventId: string) =>
  Effect.flatMap(Storage, ({ write }) => write(considerTriggers(messageOf({ eventId }))))

/** The workflows of document 3 are not there yet: a stand-in answers for them, and remembers what it was given. */
const workflows = (
  answer: (trigger: ExternalTrigger) => Effect.Effect<Dispatched>,
  { missing = false }: { readonly missing?: boolean } = {}
) =>
  Effect.map(Queue.unbounded<ExternalTrigger>(), (given) => ({
    given,
    layer: Layer.succeed(ExternalTriggers, {
      dispatch: (trigger) =>
        Effect.zipRight(
          Queue.offer(given, trigger),
          Effect.suspend(() => answer(trigger))
        ),
      workflow: () => Effect.succeed(missing ? "missing" : "exists"),
      mayExecute: (_, by) => Effect.succeed(by.permissions.has("workflow:execute"))
    })
  }))

/** Everybody may what they might, unless it says otherwise. */
const standing = (may = true) =>
  Layer.succeed(Standing, {
    now: (founder) =>
      Effect.succeed({ ...founder, permissions: may ? new Set(founder.permissions) : new Set() })
  })

/** Runs the worker until it has settled everything, and gives the newest audit. */
const settled = (
  layer: Layer.Layer<ExternalTriggers>,
  standingLayer = standing()
): Effect.Effect<TriggerAudit | undefined, never, Storage | Scope.Scope> =>
  Effect.gen(function* () {
    const { read } = yield* Storage
    yield* startDispatching.pipe(Effect.provide([layer, standingLayer, Workers.layer]))
    yield* Effect.repeat(Effect.delay(read(TriggerRepo.nextDue), 5), { while: (next) => next !== undefined })
    const [newest] = yield* read(AuditRepo.newest(adapterId, 1))
    return newest
  })
type TriggerAudit = Effect.Effect.Success<ReturnType<typeof AuditRepo.newest>>[number]

const launched = (runId: string) => Effect.succeed<Dispatched>({ _tag: "Launched", runId })

describe("the dispatch of workflow triggers", () => {
  it.scopedLive("starts the workflow in the name of the rule's maker, and keeps the run", () =>
    Effect.gen(function* () {
      yield* insertRule("trigger_1")
      yield* arrive("e1")
      const { given, layer } = yield* workflows(() => launched("run_1"))
      const audit = yield* Effect.scoped(settled(layer))
      assert.deepInclude(audit, { disposition: "launched", reasonCode: "run_started", runId: "run_1" })
      const trigger = yield* Queue.take(given)
      assert.strictEqual(trigger.causalKey, "relay:relay.example.com:e1:trigger_1")
      assert.strictEqual(trigger.by.name, "ann")
      assert.strictEqual(trigger.context.message, "Please deploy")
      yield* arrive("e1")
      const { read } = yield* Storage
      const [replay] = yield* read(AuditRepo.newest(adapterId, 1))
      assert.deepInclude(replay, {
        disposition: "replayed",
        reasonCode: "already_launched",
        runId: "run_1"
      })
      assert.strictEqual(yield* Queue.size(given), 0)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("notes what the workflows answer", () =>
    Effect.gen(function* () {
      yield* insertRule("trigger_1")
      yield* arrive("e1")
      const { layer } = yield* workflows(() => Effect.succeed({ _tag: "Failed", reasonCode: "no_steps" }))
      const audit = yield* Effect.scoped(settled(layer))
      assert.deepInclude(audit, { disposition: "failed", reasonCode: "no_steps" })
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("starts nothing for somebody who may no longer, for no workflow, and for no rule", () =>
    Effect.gen(function* () {
      yield* insertRule("trigger_1")
      const { given, layer } = yield* workflows(() => launched("run_1"))
      yield* arrive("e1")
      const denied = yield* Effect.scoped(settled(layer, standing(false)))
      assert.deepInclude(denied, { disposition: "denied", reasonCode: "execute_not_permitted" })
      yield* arrive("e2")
      const none = yield* workflows(() => launched("run_1"), { missing: true })
      const missing = yield* Effect.scoped(settled(none.layer))
      assert.deepInclude(missing, { disposition: "failed", reasonCode: "workflow_missing" })
      // The message fitted, and the rule was switched off before its workflow could start.
      yield* arrive("e3")
      yield* Effect.flatMap(Storage, ({ write }) => write(RuleRepo.disable("trigger_1", 1)))
      const off = yield* Effect.scoped(settled(layer))
      assert.deepInclude(off, { disposition: "disabled", reasonCode: "rule_disabled" })
      assert.strictEqual((yield* Queue.size(given)) + (yield* Queue.size(none.given)), 0)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("asks again under the same key when the process died before the outcome was stored", () =>
    Effect.gen(function* () {
      yield* insertRule("trigger_1")
      yield* arrive("e1")
      // The run begins, and the process ends before it hears of it.
      const dying = yield* workflows(() => Effect.never)
      yield* Effect.scoped(
        Effect.zipRight(
          startDispatching.pipe(Effect.provide([dying.layer, standing(), Workers.layer])),
          Queue.take(dying.given)
        )
      )
      const { given, layer } = yield* workflows(() => launched("run_1"))
      const audit = yield* Effect.scoped(settled(layer))
      assert.deepInclude(audit, { disposition: "launched", runId: "run_1" })
      assert.strictEqual((yield* Queue.take(given)).causalKey, "relay:relay.example.com:e1:trigger_1")
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("lives on when a start breaks, and gives up the one that always does", () =>
    Effect.gen(function* () {
      yield* insertRule("trigger_1")
      yield* arrive("e1")
      yield* arrive("e2")
      const attempts = yield* Ref.make(0)
      const { layer } = yield* workflows(({ context }) =>
        context.eventId === "e1"
          ? Effect.zipRight(
              Ref.update(attempts, (n) => n + 1),
              Effect.dieMessage("broken")
            )
          : launched("run_2")
      )
      const newest = yield* Effect.scoped(settled(layer)).pipe(Logger.withMinimumLogLevel(LogLevel.None))
      assert.deepInclude(newest, { eventId: "e2", disposition: "launched" })
      const { read } = yield* Storage
      const broken = yield* read(TriggerRepo.find("relay:relay.example.com:e1:trigger_1"))
      assert.deepInclude(broken, { state: "failed", runId: null, attempts: 5 })
      assert.strictEqual(yield* Ref.get(attempts), 5)
    }).pipe(Effect.provide(storage))
  )
})
