import { Effect } from "effect"
import { iso, now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { running } from "../attempts/Units.ts"
import { newestEvent } from "../journal/Units.ts"
import { keepFinding } from "./KeepFinding.ts"
import { type Heard, isSilent, nextSilence, silenceMs } from "./Silence.ts"

/** The runs of this server and when each was heard last: a look at the end of each journal. */
const heard: Effect.Effect<ReadonlyArray<Heard>, never, Sql> = Effect.flatMap(running, (attempts) =>
  Effect.forEach(
    attempts.filter(({ provider }) => provider !== "gateway"),
    ({ createdAt, id: attemptId, startedAt, taskId }) =>
      Effect.map(newestEvent(attemptId), ({ at = 0, sequence: lastSequence }) => ({
        taskId,
        attemptId,
        lastSequence,
        heardAt: Math.max(at, startedAt ?? createdAt)
      }))
  )
)

const keepSilence = ({ attemptId, heardAt, lastSequence, taskId }: Heard) =>
  keepFinding({
    taskId,
    attemptId,
    kind: "silence",
    episode: lastSequence,
    evidence: { lastSequence, silentSince: iso(heardAt) }
  })

/**
 * Looks for runs that have become silent, and gives when somebody can next become so: until then nothing is read. It gives
 * the attempts that run too, whenever it has looked.
 */
export const silenceWatch = (storage: StorageService, saw: (attemptIds: ReadonlySet<string>) => void) => {
  let next = 0
  return Effect.gen(function* () {
    const at = yield* now
    // A clock that was set back by more than a silence is looked at anew.
    if (at < next && next <= at + silenceMs) return next
    const runs = yield* storage.read(heard)
    const silent = runs.filter((run) => isSilent(run, at))
    if (silent.length > 0) yield* storage.write(Effect.forEach(silent, keepSilence, { discard: true }))
    saw(new Set(runs.map(({ attemptId }) => attemptId)))
    next = nextSilence(runs, at)
    return next
  })
}
