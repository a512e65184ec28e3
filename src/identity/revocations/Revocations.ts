import type * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer } from "effect"
import { defaultWorkspace, system } from "../../kernel/Actor.ts"
import * as Journal from "../../storage/events/Journal.ts"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import * as RevocationFile from "../../storage/revocations/RevocationFile.ts"
import { Storage } from "../../storage/Storage.ts"
import { apply, type RevocationEffects } from "./Application.ts"
import { RevocationsKept } from "./Events.ts"

/**
 * What was revoked stays revoked, whichever copy of the board is brought back (ruling 112). Each revocation is noted in
 * the database, by the unit that makes it, and in a file beside it. A start holds the two against each other: what the
 * database does not know, because an older copy took its place, is revoked again, and what the file does not know is
 * added to it.
 */
export interface RevocationsService {
  /**
   * Writes into the file what was revoked since it was written last; durable when it is done. The database has it by
   * then, so nothing is lost when the file can't be written: the log says so, and the next time writes it too.
   */
  readonly keep: Effect.Effect<void>
}

export class Revocations extends Context.Tag("muster/Revocations")<Revocations, RevocationsService>() {
  static readonly layer = (effects: RevocationEffects) =>
    Layer.effect(
      Revocations,
      Effect.flatMap(Storage, ({ posture }) =>
        // A database in memory has nothing to do with what lies in the directory.
        posture.filename === undefined
          ? Effect.succeed(Revocations.of({ keep: Effect.void }))
          : keeping(effects)
      )
    )
}

const keeping = (effects: RevocationEffects) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const context = yield* Effect.context<FileSystem.FileSystem>()
    const file = RevocationFile.fileOf(storage.directory)
    const turn = yield* Effect.makeSemaphore(1)

    const kept = yield* RevocationFile.read(file)
    const noted = yield* storage.read(Revocation.after(0))
    const known = new Set(noted.map(({ id }) => id))
    const missing = kept.revocations.filter(({ id }) => !known.has(id))
    if (missing.length > 0) {
      const again = new RevocationsKept({ resourceId: defaultWorkspace, count: missing.length })
      yield* storage.write(Effect.zipRight(apply(effects, missing), Journal.note(again, system)))
      yield* Effect.logWarning(
        `The database did not know ${missing.length} revocations that were made since it was copied: they count again`
      )
    }
    const written = new Set(kept.revocations.map(({ id }) => id))
    const unwritten = noted.filter(({ id }) => !written.has(id))
    if (unwritten.length > 0 || !kept.isWhole) yield* RevocationFile.add(file, kept, unwritten)

    let last = (yield* storage.read(Revocation.after(0))).at(-1)?.seq ?? 0
    const keep = Effect.gen(function* () {
      const made = yield* storage.read(Revocation.after(last))
      const end = made.at(-1)
      if (end === undefined) return
      yield* RevocationFile.append(file, made)
      last = end.seq
    }).pipe(
      Effect.catchAll((error) =>
        Effect.logError(`What was revoked could not be kept in ${file}, beside the database`, error)
      ),
      turn.withPermits(1),
      Effect.provide(context)
    )
    return Revocations.of({ keep })
  })
