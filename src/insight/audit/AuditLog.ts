import { Context, Effect, Layer, Option, Queue, type Scope } from "effect"
import { defaultLimit } from "../../kernel/Paging.ts"
import * as Worker from "../../kernel/Worker.ts"
import { markOf, replaces } from "../../storage/audit/RestoreMark.ts"
import * as Audit from "../../storage/events/Audit.ts"
import { type Sql, SqlDefect } from "../../storage/Sql.ts"
import { Storage, type StorageService } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import { alarmOf } from "./Alarm.ts"
import type { AuditEntry, AuditVerification } from "./AuditEntry.ts"
import * as AuditRepo from "./AuditRepo.ts"
import { type Known, SignedHead } from "./SignedHead.ts"
import { againstHead, type Broken, beginning, type Followed, follow, type Signed } from "./Verification.ts"

/** How many entries are checked before others get their turn: a few milliseconds of work. */
const pageSize = 250

/** How long entries gather before their head is signed. */
const gather = "1 second"

/** What was done on this board, and the proof that nobody has changed it since. */
export interface AuditLogService {
  readonly list: (part: {
    readonly limit?: number | undefined
    readonly before?: number | undefined
  }) => Effect.Effect<ReadonlyArray<AuditEntry>>
  readonly verify: Effect.Effect<AuditVerification>
}

export class AuditLog extends Context.Tag("muster/AuditLog")<AuditLog, AuditLogService>() {
  static readonly layer = Layer.scoped(
    AuditLog,
    Effect.gen(function* () {
      const storage = yield* Storage
      const signed = yield* SignedHead
      yield* startSigning
      return AuditLog.of({
        list: ({ before = Number.MAX_SAFE_INTEGER, limit = defaultLimit }) =>
          storage.read(AuditRepo.newest(limit, before)),
        // The head comes first: what is appended after it was read lies behind it, and is no fault.
        verify: Effect.flatMap(signed.read, (known) =>
          Effect.catchSomeDefect(verifyAgainst(storage, known), (defect) =>
            isUnreadable(defect) ? Option.some(Effect.succeed(unreadable(known))) : Option.none()
          )
        )
      })
    })
  ).pipe(Layer.provide(SignedHead.layer))
}

const headOf = (known: Known): AuditVerification["head"] => (known._tag === "Signed" ? known.head : null)

/** Follows the whole chain and holds its end against the head that was signed. */
const verifyAgainst = (storage: StorageService, known: Known): Effect.Effect<AuditVerification> =>
  Effect.gen(function* () {
    const chain = yield* followAll(storage)
    const broken = chain.broken ?? (yield* brokenAtHead(storage, chain, known))
    return {
      valid: broken === undefined,
      entries: chain.entries,
      ...broken,
      head: headOf(known),
      restores: chain.marks.slice(-mostRestores).map(({ at, head }) => ({ at, head }))
    }
  })

/** The most restores that one answer has. */
const mostRestores = 1_000

const brokenAtHead = (
  storage: StorageService,
  chain: Followed,
  known: Known
): Effect.Effect<Partial<Broken> | undefined> =>
  known._tag === "Unsigned"
    ? Effect.succeed({ fault: known.fault })
    : Effect.map(storage.read(Audit.at(known.head.sequence)), (atHead) => againstHead(chain, known, atHead))

/** The table of the chain, or a part of it, is gone: SQLite can no longer run the query. */
const isUnreadable = (defect: unknown): boolean =>
  defect instanceof SqlDefect && defect.code === "SQLITE_ERROR"

const unreadable = (known: Known): AuditVerification => ({
  valid: false,
  entries: 0,
  fault: "unreadable",
  head: headOf(known),
  restores: []
})

/**
 * Follows the whole chain, page by page, so that a long one holds up nobody. It looks below the first entry too: nothing
 * is ever written there.
 */
const followAll = (storage: StorageService): Effect.Effect<Followed> =>
  Effect.gen(function* () {
    let chain = beginning
    let cursor = Number.NEGATIVE_INFINITY
    for (;;) {
      const entries = yield* storage.read(AuditRepo.after(cursor, pageSize))
      chain = follow(chain, entries)
      const last = entries.at(-1)
      // A sequence that is too large to be told from the next one would keep the cursor where it is.
      if (last === undefined || entries.length < pageSize || last.sequence <= cursor) return chain
      cursor = last.sequence
      yield* Effect.sleep(0)
    }
  })

/** Whether the chain holds the entry that was signed last, or tells in its last entries why a restore took it away. */
const continues = ({ head, publicKey }: Signed): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    if ((yield* Audit.at(head.sequence))?.hash === head.hash) return true
    const entries = yield* AuditRepo.newest(pageSize, Number.MAX_SAFE_INTEGER)
    return entries.map(markOf).some((mark) => mark !== undefined && replaces(mark, publicKey, head))
  })

/**
 * Signs the head of the chain a moment after it has grown, and once more when the server stops. A chain that no longer
 * holds the entry of the head was tampered with: its head stays as it is, as evidence, and the log says so.
 */
const startSigning: Effect.Effect<void, never, Storage | SignedHead | Worker.Workers | Scope.Scope> =
  Effect.gen(function* () {
    const storage = yield* Storage
    const signed = yield* SignedHead
    const look = Effect.gen(function* () {
      const known = yield* signed.read
      return yield* storage.read(
        Effect.gen(function* () {
          const last = yield* Audit.last
          return { known, last, continues: known._tag === "Signed" && (yield* continues(known)) }
        })
      )
    })
    const signHead = Effect.gen(function* () {
      const found = yield* look
      const { known, last } = found
      // A restore that was cut short has brought its board in, and not signed its end.
      const isNew = known._tag === "Signed" && last.hash !== known.head.hash
      if (found.continues && isNew) yield* signed.sign(last)
      return found
    })
    const bell = yield* Wakes.of(Audit.auditChain)
    const alarm = alarmOf(yield* signHead)
    if (alarm !== undefined) yield* Effect.logError(alarm)
    yield* Effect.addFinalizer(() => Effect.ignoreLogged(Effect.sandbox(signHead)))
    yield* Worker.start(
      "audit:head",
      Queue.take(bell).pipe(Effect.zipRight(Effect.sleep(gather)), Effect.zipRight(signHead))
    )
  })
