import { Context, Effect, Layer } from "effect"
import { endProcesses } from "../../kernel/process/EndProcesses.ts"
import {
  identityOf,
  isAlive,
  isSame,
  type ProcessIdentity,
  unknownStart
} from "../../kernel/process/Identity.ts"
import { view } from "../../kernel/process/ProcessView.ts"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import * as ProcessRepo from "./ProcessRepo.ts"

/** The variable that tells whatever an attempt starts from everything else on the machine (spec README, ruling 24). */
export const attemptMark = "MUSTER_ATTEMPT_ID"

/** What a server that died had left running. */
export interface LeftBehind {
  readonly attemptId: string
  /** The directory that it worked in. */
  readonly place: string
  /** How many of its processes could not be ended, or belong to another server. */
  readonly stuck: number
}

/** Which processes work for attempts, so that a server that dies leaves none behind for good (ruling 85). */
export interface ProcessesService {
  /**
   * What was found and ended when this server started. Its rows are still there: who marks these attempts interrupted
   * strikes them out in the same unit (`Units.forget`).
   */
  readonly leftBehind: ReadonlyArray<LeftBehind>
  /** Whether something still runs in a directory that was left behind there: no other agent may begin in it. */
  readonly isOccupied: (place: string) => Effect.Effect<boolean>
  /** Writes down that an attempt is about to start a process in a directory. */
  readonly expect: (attemptId: string, place: string) => Effect.Effect<void>
  /** Writes down which process that is: to be done before it hears what it has to do. */
  readonly record: (attemptId: string, place: string, identity: ProcessIdentity) => Effect.Effect<void>
  /** Strikes out the process of an attempt: it is over, or never began. */
  readonly forget: (attemptId: string) => Effect.Effect<void>
}

/** This server, as others see it. */
const ownIdentity = async (): Promise<ProcessIdentity> => {
  const seen = await view.one(process.pid)
  return seen === undefined
    ? { pid: process.pid, startTime: unknownStart, bootId: view.bootId }
    : identityOf(seen)
}

/** What a process is given to put its house in order, at a start that waits for it. */
const grace = "1 second"

export class Processes extends Context.Tag("muster/Processes")<Processes, ProcessesService>() {
  /**
   * It is made only when nothing of a server before runs any more: the very processes that are written down, by their
   * start time, with their groups and with all that carries the mark of their attempts. A stranger who has got one of
   * their numbers is left alone, and so are the agents of a server that still runs, on the original of a copied board.
   */
  static readonly layer = Layer.effect(
    Processes,
    Effect.gen(function* () {
      const storage = yield* Storage
      const own = yield* Effect.promise(ownIdentity)
      /** Ends what a process left behind, and gives how much of it still runs. */
      const endOne = ({ attemptId, identity, server }: ProcessRepo.RecordedProcess) =>
        Effect.gen(function* () {
          if (!isSame(own, server) && (yield* isAlive(server))) {
            yield* Effect.logWarning(
              "A run belongs to another server that works on a copy of this board"
            ).pipe(Effect.annotateLogs({ attemptId, server: server.pid }))
            return 1
          }
          const leader = identity ?? { pid: 0, startTime: unknownStart, bootId: null }
          const stuck = yield* endProcesses({ leader, mark: `${attemptMark}=${attemptId}` }, grace)
          yield* stuck.length === 0
            ? Effect.logDebug("Nothing of an interrupted run is left").pipe(
                Effect.annotateLogs({ attemptId })
              )
            : Effect.logWarning("Processes of an interrupted run can't be ended").pipe(
                Effect.annotateLogs({ attemptId, pids: stuck.map(({ pid }) => pid) })
              )
          return stuck.length
        })
      const recorded = yield* storage.read(ProcessRepo.all)
      const leftBehind = yield* Effect.forEach(
        recorded,
        (one) =>
          Effect.map(
            endOne(one),
            (stuck): LeftBehind => ({ attemptId: one.attemptId, place: one.place, stuck })
          ),
        { concurrency: 32 }
      )
      const occupying = recorded.filter((_, index) => leftBehind[index]?.stuck !== 0)
      const put = (attemptId: string, place: string, identity: ProcessIdentity | undefined) =>
        Effect.flatMap(now, (recordedAt) =>
          storage.write(ProcessRepo.put({ attemptId, place, identity, server: own, recordedAt }))
        )
      return Processes.of({
        leftBehind,
        isOccupied: Effect.fn("Processes.isOccupied")((place) =>
          Effect.exists(occupying, (one) =>
            one.place === place ? Effect.map(endOne(one), (stuck) => stuck > 0) : Effect.succeed(false)
          )
        ),
        expect: Effect.fn("Processes.expect")((attemptId, place) => put(attemptId, place, undefined)),
        record: Effect.fn("Processes.record")(put),
        forget: Effect.fn("Processes.forget")((attemptId) => storage.write(ProcessRepo.remove(attemptId)))
      })
    })
  )
}
