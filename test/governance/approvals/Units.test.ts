import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel, TestClock } from "effect"
import {
  type ApprovalAsker,
  type ApprovalOutcome,
  ApprovalOutcomes,
  AskerAlive
} from "../../../src/governance/approvals/Askers.ts"
import { pendingLimit } from "../../../src/governance/approvals/Request.ts"
import type { RequestKind, RunApproval } from "../../../src/governance/approvals/RunApproval.ts"
import { RunApprovals } from "../../../src/governance/approvals/RunApprovals.ts"
import {
  cancelApprovalsOf,
  findApproval,
  pendingOf,
  requestApproval,
  responseTo,
  useApproval
} from "../../../src/governance/approvals/Units.ts"
import { Workers } from "../../../src/kernel/Worker.ts"
import { firstRow, rows, run, type Sql, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { actionOf, ask, asker, requestOf } from "../../support/Approvals.ts"
import { auditTrail } from "../../support/Audit.ts"
import { tester } from "../../support/Journal.ts"
import { storage, storageIn } from "../../support/TestStorage.ts"
import { temporaryDirectory } from "../../support/World.ts"

const inParallel = { concurrency: "unbounded" } as const

/** The room of approvals alone, over a store; askers that hear, and attempts that live until a test ends one. */
const room = (askers: ReadonlyArray<ApprovalAsker> = [], dead: ReadonlySet<string> = new Set()) =>
  RunApprovals.layer.pipe(
    Layer.provide(Layer.succeed(AskerAlive, (attemptId) => Effect.succeed(!dead.has(attemptId)))),
    Layer.provide(Layer.succeed(ApprovalOutcomes, askers)),
    Layer.provide(Workers.layer)
  )

const alone = Layer.provideMerge(room(), storage)

/** Decides with what the approval shows now. */
const decide = (approval: RunApproval, decision: "approved" | "rejected" = "approved", more: object = {}) =>
  Effect.flatMap(RunApprovals, (approvals) =>
    approvals.decide(
      approval.id,
      {
        decision,
        expectedRevision: approval.revision,
        expectedActionHash: approval.actionHash,
        ...more
      },
      tester
    )
  )

const write = <A, E>(unit: Effect.Effect<A, E, Sql>) =>
  Effect.flatMap(Storage, (storage) => storage.write(unit))

const read = <A, E>(query: Effect.Effect<A, E, Sql>) =>
  Effect.flatMap(Storage, (storage) => storage.read(query))

const stored = (id: string) =>
  read(firstRow<{ status: string }>(sql`SELECT status FROM run_approvals WHERE id = ${id}`))

/** What the audit trail says of an approval. */
const trailOf = (id: string) =>
  Effect.map(auditTrail, (all) =>
    all.filter(({ resourceId }) => resourceId === id).map(({ action, actor }) => [action, actor])
  )

describe("a run", () => {
  it.scoped("that repeats its request asks once, also of two at once", () =>
    Effect.gen(function* () {
      const request = requestOf()
      const made = yield* Effect.all(
        Array.from({ length: 8 }, () => write(requestApproval(request, asker))),
        inParallel
      )
      assert.strictEqual(new Set(made.map(({ id }) => id)).size, 1)
      const [approval] = made
      if (approval === undefined) return assert.fail()
      yield* decide(approval, "rejected")
      assert.deepInclude(yield* write(requestApproval(request, asker)), {
        id: approval.id,
        status: "rejected"
      })
      assert.deepStrictEqual(yield* trailOf(approval.id), [
        ["run-approval.requested", "codex"],
        ["run-approval.decided", "tester"]
      ])
    }).pipe(Effect.provide(alone))
  )

  it.scoped("that asks for something else under the same request id is refused", () =>
    Effect.gen(function* () {
      const request = requestOf({ exact: { command: "make" } })
      const { id } = yield* write(requestApproval(request, asker))
      for (const other of [
        { ...request, exact: { command: "make install" } },
        { ...request, requestKind: "network" as const }
      ]) {
        const refused = yield* Effect.flip(write(requestApproval(other, asker)))
        assert.deepInclude(refused, { _tag: "RequestReused", approvalId: id })
      }
      const another = { ...request, attemptId: "another", exact: { command: "make install" } }
      assert.notStrictEqual((yield* write(requestApproval(another, asker))).id, id)
    }).pipe(Effect.provide(alone))
  )

  it.scoped("has a bounded number of questions open, and others are not held up by it", () =>
    Effect.gen(function* () {
      const flood = yield* Effect.forEach(Array.from({ length: pendingLimit }), () =>
        ask({ attemptId: "flood", lifetime: "1 minute" })
      )
      const more = requestOf({ attemptId: "flood" })
      assert.deepInclude(yield* Effect.flip(write(requestApproval(more, asker))), {
        _tag: "TooManyApprovals",
        limit: pendingLimit
      })
      yield* ask({ attemptId: "another" })
      yield* decide(flood[0] ?? assert.fail(), "rejected")
      yield* write(requestApproval(more, asker))
    }).pipe(Effect.provide(alone))
  )
})

describe("two decisions at once", () => {
  it.scoped("have one winner, who stands in the record; the other hears that it was decided", () =>
    Effect.gen(function* () {
      const approval = yield* ask()
      const came = yield* Effect.all(
        (["approved", "rejected"] as const).flatMap((decision) =>
          Array.from({ length: 5 }, () => Effect.either(decide(approval, decision)))
        ),
        inParallel
      )
      const won = came.filter(({ _tag }) => _tag === "Right")
      assert.strictEqual(won.length, 1)
      const [winner] = won
      for (const one of came) {
        if (one._tag === "Left") assert.deepInclude(one.left, { _tag: "ApprovalSettled" })
      }
      const now = yield* read(findApproval(approval.id))
      assert.deepStrictEqual(now, winner?._tag === "Right" ? winner.right : undefined)
      assert.strictEqual((yield* trailOf(approval.id)).length, 2)
    }).pipe(Effect.provide(alone))
  )

  it.scoped("against expiry: what was decided before stays, what comes later is late", () =>
    Effect.gen(function* () {
      const approvals = yield* Effect.forEach([58, 59, 60, 61], () => ask({ lifetime: "60 seconds" }))
      yield* TestClock.adjust("59 seconds")
      const [first, second] = [approvals[0] ?? assert.fail(), approvals[1] ?? assert.fail()]
      assert.strictEqual((yield* decide(first)).status, "approved")
      yield* TestClock.adjust("1 second")
      const late = yield* Effect.flip(decide(second))
      assert.deepInclude(late, { _tag: "ApprovalSettled", status: "expired" })
      assert.strictEqual((yield* read(findApproval(first.id)))?.status, "approved")
      assert.strictEqual((yield* read(findApproval(second.id)))?.status, "expired")
      const trail = (yield* trailOf(second.id)).map(([action]) => action)
      assert.deepStrictEqual(trail, ["run-approval.requested", "run-approval.expired"])
    }).pipe(Effect.provide(alone))
  )
})

describe("what is approved", () => {
  it.scoped("is used by one of many at once, and by nobody after", () =>
    Effect.gen(function* () {
      const request = requestOf()
      const approval = yield* ask(request)
      const use = Effect.either(write(useApproval(approval.id, actionOf(request), asker)))
      assert.deepInclude(yield* Effect.flip(write(useApproval(approval.id, actionOf(request), asker))), {
        reason: "pending"
      })
      yield* decide(approval)
      const came = yield* Effect.all(
        Array.from({ length: 10 }, () => use),
        inParallel
      )
      assert.strictEqual(came.filter(({ _tag }) => _tag === "Right").length, 1)
      for (const one of came) if (one._tag === "Left") assert.deepInclude(one.left, { reason: "used" })
      assert.deepStrictEqual((yield* trailOf(approval.id)).at(-1), ["run-approval.used", "codex"])
    }).pipe(Effect.provide(alone))
  )

  it.scoped("lapses when its time is over, and says that it was approved", () =>
    Effect.gen(function* () {
      const request = requestOf({ lifetime: "60 seconds" })
      const approval = yield* ask(request)
      yield* decide(approval)
      yield* TestClock.adjust("60 seconds")
      assert.deepInclude(yield* Effect.flip(write(useApproval(approval.id, actionOf(request), asker))), {
        _tag: "ApprovalNotUsable",
        reason: "lapsed"
      })
      assert.strictEqual((yield* read(findApproval(approval.id)))?.status, "approved")
    }).pipe(Effect.provide(alone))
  )

  it.scoped("lets nothing else happen: another attempt, kind or action; and an unknown id is unknown", () =>
    Effect.gen(function* () {
      const request = requestOf()
      const approval = yield* ask(request)
      yield* decide(approval)
      for (const [wrong, reason] of [
        [{ ...request, attemptId: "another" }, "other-attempt"],
        [{ ...request, requestKind: "network" }, "other-kind"],
        [{ ...request, exact: { command: ["npm", "publish"] } }, "other-action"]
      ] as const) {
        const refused = yield* Effect.flip(write(useApproval(approval.id, actionOf(wrong), asker)))
        assert.deepInclude(refused, { _tag: "ApprovalNotUsable", reason })
      }
      for (const id of ["nobody", "a".repeat(10_000), "\u0000", "'; DROP TABLE run_approvals"]) {
        const unknown = yield* Effect.flip(write(useApproval(id, actionOf(request), asker)))
        assert.strictEqual(unknown._tag, "ApprovalNotFound")
      }
      yield* write(useApproval(approval.id, actionOf(request), asker))
    }).pipe(Effect.provide(alone))
  )
})

describe("the end of an attempt", () => {
  it.scoped("cancels what still waits for it, and nothing else", () =>
    Effect.gen(function* () {
      const ofIt = yield* Effect.forEach([1, 2, 3], () => ask({ attemptId: "it", taskId: "t" }))
      const decided = ofIt[0] ?? assert.fail()
      yield* decide(decided, "rejected")
      const other = yield* ask({ taskId: "t" })
      assert.strictEqual(yield* write(cancelApprovalsOf("it")), 2)
      assert.strictEqual(yield* write(cancelApprovalsOf("it")), 0)
      const statuses = yield* Effect.forEach([...ofIt, other], ({ id }) =>
        Effect.map(read(findApproval(id)), (found) => found?.status)
      )
      assert.deepStrictEqual(statuses, ["rejected", "cancelled", "cancelled", "pending"])
      const waiting = yield* read(pendingOf("t", 10))
      assert.deepStrictEqual([waiting.total, waiting.items.map(({ id }) => id)], [1, [other.id]])
      const late = yield* Effect.flip(decide(ofIt[1] ?? assert.fail()))
      assert.deepInclude(late, { _tag: "ApprovalSettled", status: "cancelled" })
      assert.deepStrictEqual((yield* trailOf(ofIt[1]?.id ?? "")).at(-1), ["run-approval.cancelled", "system"])
    }).pipe(Effect.provide(alone))
  )

  it.scoped("that nobody noted cancels an approval when somebody decides it", () =>
    Effect.gen(function* () {
      const approval = yield* ask({ attemptId: "dead" })
      assert.deepInclude(yield* Effect.flip(decide(approval)), { _tag: "AskerGone", status: "cancelled" })
      assert.strictEqual((yield* stored(approval.id))?.status, "cancelled")
      assert.deepInclude(yield* Effect.flip(decide(approval)), { _tag: "ApprovalSettled" })
    }).pipe(Effect.provide(Layer.provideMerge(room([], new Set(["dead"])), storage)))
  )
})

describe("an elicitation", () => {
  it.scoped("is answered with what its form asks for, for the asker alone and without secrets", () =>
    Effect.gen(function* () {
      const approval = yield* ask({ requestKind: "elicitation" })
      const responseData = { branch: "main", force: false }
      const decided = yield* decide(approval, "approved", { responseData })
      assert.notProperty(decided, "responseData")
      assert.deepStrictEqual(yield* read(responseTo(approval.id)), responseData)
      assert.isUndefined(yield* read(responseTo((yield* ask()).id)))
    }).pipe(Effect.provide(alone))
  )

  it.scoped("alone takes data, and only with a yes", () =>
    Effect.gen(function* () {
      for (const [kind, decision] of [
        ["command", "approved"],
        ["elicitation", "rejected"]
      ] as const) {
        const approval = yield* ask({ requestKind: kind })
        const refused = yield* Effect.flip(decide(approval, decision, { responseData: { a: 1 } }))
        assert.strictEqual(refused._tag, "ResponseNotAsked")
        assert.strictEqual((yield* stored(approval.id))?.status, "pending")
      }
    }).pipe(Effect.provide(alone))
  )
})

/** Waits until something is so; workers follow by themselves. */
const eventually = <A, E, R>(look: Effect.Effect<A | undefined, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(look, (found) =>
    found === undefined ? Effect.zipRight(Effect.sleep(5), eventually(look)) : Effect.succeed(found)
  )

describe("who asked", () => {
  const listening = (kinds: ReadonlyArray<RequestKind>, heard: Array<ApprovalOutcome>): ApprovalAsker => ({
    requestKinds: kinds,
    hear: (outcome) => Effect.sync(() => void heard.push(outcome))
  })

  it.scopedLive("hears what came of it, by its kind: an end by the clock is told as one", () =>
    Effect.gen(function* () {
      const heard: Array<ApprovalOutcome> = []
      const others: Array<ApprovalOutcome> = []
      const askers = [listening(["command", "elicitation"], heard), listening(["network"], others)]
      yield* Effect.gen(function* () {
        const late = yield* ask({ lifetime: 60 })
        const [yes, no, gone] = [yield* ask({ requestKind: "elicitation" }), yield* ask(), yield* ask()]
        yield* decide(yes, "approved", { responseData: { name: "ann" } })
        yield* decide(no, "rejected")
        yield* write(cancelApprovalsOf(gone.attemptId))
        yield* eventually(Effect.sync(() => (heard.length === 4 ? true : undefined)))
        const told = new Map(heard.map((one) => [one.approval.id, one]))
        assert.deepStrictEqual(told.get(yes.id)?.responseData, { name: "ann" })
        assert.deepStrictEqual(
          [yes, no, gone, late].map(({ id }) => told.get(id)?.approval.status),
          ["approved", "rejected", "cancelled", "expired"]
        )
        assert.isEmpty(others)
      }).pipe(Effect.provide(Layer.provideMerge(room(askers), storage)))
    })
  )

  it.scopedLive("hears after a restart what was decided while it could not be told", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const started = (askers: ReadonlyArray<ApprovalAsker>) =>
        Layer.provideMerge(room(askers), storageIn(directory))
      const approval = yield* Effect.tap(ask(), decide).pipe(Effect.provide(started([])))
      // The outcome is committed, and its asker was not told: the process died in between.
      yield* write(run(sql`UPDATE projections SET cursor = 0 WHERE name = 'approval-outcomes'`)).pipe(
        Effect.provide(storageIn(directory))
      )
      const heard: Array<ApprovalOutcome> = []
      yield* eventually(Effect.sync(() => heard[0])).pipe(
        Effect.provide(started([listening(["command"], heard)]))
      )
      assert.deepInclude(heard[0]?.approval, { id: approval.id, status: "approved" })
    })
  )

  it.scopedLive("that breaks holds up nobody else", () =>
    Effect.gen(function* () {
      const heard: Array<ApprovalOutcome> = []
      const broken: ApprovalAsker = { requestKinds: ["network"], hear: () => Effect.dieMessage("broken") }
      yield* Effect.gen(function* () {
        yield* decide(yield* ask({ requestKind: "network" }))
        yield* decide(yield* ask())
        yield* eventually(Effect.sync(() => heard[0]))
      }).pipe(
        Effect.provide(Layer.provideMerge(room([broken, listening(["command"], heard)]), storage)),
        Logger.withMinimumLogLevel(LogLevel.None)
      )
    })
  )
})

describe("what waits", () => {
  it.scopedLive("outlives a restart, and can be decided after it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const started = () => Layer.provideMerge(room(), storageIn(directory))
      const approval = yield* Effect.provide(ask(), started())
      const decided = yield* Effect.provide(
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* read(findApproval(approval.id)), approval)
          return yield* decide(approval)
        }),
        started()
      )
      assert.strictEqual(decided.status, "approved")
    })
  )

  it.scopedLive("expires by itself, and at the next start when nobody ran meanwhile", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const started = () => Layer.provideMerge(room(), storageIn(directory))
      const approval = yield* Effect.provide(ask({ lifetime: 200 }), started())
      yield* Effect.sleep(250)
      const written = yield* eventually(
        Effect.map(stored(approval.id), (row) => (row?.status === "expired" ? row : undefined))
      ).pipe(Effect.provide(started()))
      assert.strictEqual(written.status, "expired")
    })
  )

  it.scopedLive("is found by an index, however many were decided", () =>
    Effect.gen(function* () {
      const plan = yield* read(
        rows<{ detail: string }>(
          sql`EXPLAIN QUERY PLAN SELECT MIN(expires_at) FROM run_approvals WHERE status = 'pending'`
        )
      )
      assert.match(plan.map(({ detail }) => detail).join(), /run_approvals_waiting/)
    }).pipe(Effect.provide(alone))
  )
})
