import { Context, Effect, Layer, Option, Queue, type Scope } from "effect"
import { defaultLimit } from "../../kernel/Paging.ts"
import * as Worker from "../../kernel/Worker.ts"
import { SqlDefect } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AuditEntry, AuditFault, AuditVerification } from "./AuditEntry.ts"
import * as AuditRepo from "./AuditRepo.ts"
import { type Known, SignedHead } from "./SignedHead.ts"
import { againstHead, beginning, type Followed, follow } from "./Verification.ts"

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
const verifyAgainst = (storage: typeof Storage.Service, known: Known): Effect.Effect<AuditVerification> =>
  Effect.gen(function* () {
    const chain = yield* followAll(storage)
    const { broken, entries } = chain
    const head = headOf(known)
    if (broken !== undefined) return fault(entries, broken, head)
    switch (known._tag) {
      case "Forged":
        return { valid: false, entries, fault: "head-forged" as const, head }
      case "Missing":
        return { valid: false, entries, fault: "head-missing" as const, head }
      case "Signed": {
        const atHead = yield* storage.read(AuditRepo.at(known.head.sequence))
        const lost = againstHead(chain, known.head, atHead)
        return lost === undefined ? { valid: true, entries, head } : fault(entries, lost, head)
      }
    }
  })

/** The table of the chain, or a part of it, is gone: SQLite does not understand the question any more. */
const isUnreadable = (defect: unknown): boolean =>
  defect instanceof SqlDefect && defect.code === "SQLITE_ERROR"

const unreadable = (known: Known): AuditVerification => ({
  valid: false,
  entries: 0,
  fault: "unreadable",
  head: headOf(known)
})

const fault = (
  entries: number,
  { at, fault }: { readonly at: number; readonly fault: AuditFault },
  head: AuditVerification["head"]
): AuditVerification => ({ valid: false, entries, brokenAt: at, fault, head })

/**
 * Follows the whole chain, page by page, so that a long one holds up nobody. It looks below the first entry too: nothing
 * is ever written there.
 */
const followAll = (storage: typeof Storage.Service): Effect.Effect<Followed> =>
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

/**
 * Signs the head of the chain a moment after it has grown, and once more when the server stops. A chain that does not
 * hold the entry of the head any more was tampered with: its head stays as it is, as the evidence.
 */
const startSigning: Effect.Effect<void, never, Storage | SignedHead | Worker.Workers | Scope.Scope> =
  Effect.gen(function* () {
    const storage = yield* Storage
    const signed = yield* SignedHead
    const signHead = Effect.gen(function* () {
      const known = yield* signed.read
      const last = yield* storage.read(AuditRepo.last)
      if (known._tag !== "Signed") return
      const { hash, sequence } = known.head
      const atHead = yield* storage.read(AuditRepo.at(sequence))
      if (last.sequence > sequence && atHead?.hash === hash) yield* signed.sign(last)
    })
    const commits = yield* Queue.sliding<void>(1)
    yield* storage.onCommit(() => commits.unsafeOffer(undefined))
    yield* signHead
    yield* Effect.addFinalizer(() => Effect.ignoreLogged(Effect.sandbox(signHead)))
    yield* Worker.start(
      "audit:head",
      Queue.take(commits).pipe(Effect.zipRight(Effect.sleep(gather)), Effect.zipRight(signHead))
    )
  })
