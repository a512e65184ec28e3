import { Cause, Effect, Exit, Option } from "effect"
import { isLeavingBehind } from "../kernel/Refusal.ts"
import type { Connection } from "./Connection.ts"
import { type Sql, SqlDefect, scopeOf } from "./Sql.ts"
import type { Caller, UnitRunner } from "./UnitRunner.ts"

/** How many units one transaction takes at the most: it bounds how long the event loop belongs to storage. */
const batchLimit = 128

/** How many units may wait. More of them means that the disk does not keep up: the caller is told to come again. */
const waitingLimit = 10_000

/** Too many writes are waiting. */
export class StorageOverloaded extends Error {
  override readonly name = "StorageOverloaded"
  override readonly message = "Too many writes are waiting for the disk"
}

/**
 * What became of a unit: it is to be committed, it failed before it changed anything, or it failed and must be taken
 * back.
 */
type Result = "done" | "refused" | "failed"

/** Whether what a unit wrote stays: it succeeded, or it was refused in a way that leaves something behind. */
const stays = <A, E>(exit: Exit.Exit<A, E>): boolean =>
  Exit.isSuccess(exit) || isLeavingBehind(Option.getOrUndefined(Cause.failureOption(exit.cause)))

/** What watches over the commits. */
export interface Watch {
  /** Why nothing is written any more. */
  readonly refuse: () => unknown
  /** Hears, after each commit, which streams its units moved. */
  readonly committed: (moved: ReadonlySet<string>) => void
  /** Hears what a unit is answered, and may call a fault by its name. */
  readonly told: <A, E>(exit: Exit.Exit<A, E>) => Exit.Exit<A, E>
}

/** Nothing to watch over: a database that a command works on, and nobody else. */
export const unwatched: Watch = { refuse: () => undefined, committed: () => {}, told: (exit) => exit }

/** What a unit is that nobody ran. */
const neverRan = Exit.die(new Error("A unit of work was never run"))

/** A unit that waits: `run` runs it, `answer` tells its caller what came of it. */
interface Job {
  readonly run: () => Result
  readonly answer: () => void
  readonly die: (defect: unknown) => void
  /** The streams that its last run moved. */
  readonly moved: () => Iterable<string>
  cancelled: boolean
}

/**
 * Writes units in groups: all that wait when the event loop turns go into one transaction and are answered after its
 * COMMIT. A unit that fails is taken back alone. Most that fail do so before they change anything, so a group first runs
 * without savepoints; when a unit fails half-way, the whole group is rolled back and runs again with a savepoint for
 * each. A refusal that leaves something behind is committed like a success. When the COMMIT itself fails, or the
 * transaction is lost on the way to it, the units run again one by one, so that only the guilty one fails. A unit is SQL
 * and pure code, so running it again is safe.
 *
 * After each COMMIT `committed` is told which streams its units moved.
 *
 * The grouping hangs on `setImmediate`: a fiber would wake in a microtask, before the next socket is read, and would
 * never see more than one unit.
 */
export const make = (connection: Connection, runner: UnitRunner, { committed, refuse, told }: Watch) => {
  const waiting: Array<Job> = []
  let scheduled = false

  /** Runs a statement that begins or ends something, and gives what SQLite has against it. */
  const control = (
    text: "BEGIN IMMEDIATE" | "SAVEPOINT unit" | "RELEASE unit" | "ROLLBACK TO unit" | "COMMIT" | "ROLLBACK"
  ): SqlDefect | undefined => {
    try {
      connection.all(text, [])
      return undefined
    } catch (error) {
      return new SqlDefect(error)
    }
  }

  /** Runs the units of a group; false when one of them failed half-way and nothing but a rollback helps. */
  const runBare = (jobs: ReadonlyArray<Job>): boolean => jobs.every((job) => job.run() !== "failed")

  /**
   * Runs a unit in a savepoint. A savepoint that is gone is a fault: a full disk may take the whole transaction back, and
   * what ran after that would be committed at once and then again.
   */
  const runWithSavepoint = (job: Job): SqlDefect | undefined => {
    control("SAVEPOINT unit")
    const fault = job.run() === "failed" ? control("ROLLBACK TO unit") : undefined
    return fault ?? control("RELEASE unit")
  }

  /** Runs units in one transaction, and gives what became of it as a whole: nothing but a fault of SQLite ends it. */
  const transaction = (jobs: ReadonlyArray<Job>): SqlDefect | undefined => {
    const refused = control("BEGIN IMMEDIATE")
    if (refused !== undefined) return refused
    if (!runBare(jobs)) {
      control("ROLLBACK")
      if (jobs.length === 1) return undefined
      const again = control("BEGIN IMMEDIATE")
      if (again !== undefined) return again
      for (const job of jobs) {
        const fault = runWithSavepoint(job)
        if (fault !== undefined) return fault
      }
    }
    const fault = control("COMMIT")
    if (fault !== undefined) control("ROLLBACK")
    return fault
  }

  const flush = () => {
    scheduled = false
    const jobs = waiting.splice(0, batchLimit).filter((job) => !job.cancelled)
    if (waiting.length > 0) schedule()
    if (jobs.length === 0) return
    const fault = transaction(jobs)
    if (fault === undefined) answer(jobs)
    else if (jobs.length === 1) jobs[0]?.die(fault)
    else for (const job of jobs) commitAlone(job)
  }

  const answer = (jobs: ReadonlyArray<Job>): void => {
    committed(new Set(jobs.flatMap((job) => [...job.moved()])))
    for (const job of jobs) job.answer()
  }

  const commitAlone = (job: Job): void => {
    const fault = transaction([job])
    if (fault === undefined) answer([job])
    else job.die(fault)
  }

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  /**
   * Takes a unit in, to be run in a transaction; `done` hears what came of it, after the commit. What it gives takes the
   * unit back while that waits; once its batch runs, the unit commits although nobody hears of it.
   */
  const submit = <A, E, R>(
    unit: Effect.Effect<A, E, R>,
    caller: Caller,
    done: (exit: Exit.Exit<A, E>) => void
  ): (() => void) => {
    const fault = refuse() ?? (waiting.length >= waitingLimit ? new StorageOverloaded() : undefined)
    if (fault !== undefined) {
      done(Exit.die(fault))
      return () => {}
    }
    let exit: Exit.Exit<A, E> = neverRan
    let scope = scopeOf(connection)
    const job: Job = {
      cancelled: false,
      run: () => {
        scope = scopeOf(connection)
        exit = runner.run(unit, scope, caller)
        return stays(exit) ? "done" : scope.wrote ? "failed" : "refused"
      },
      answer: () => done(told(exit)),
      moved: () => (stays(exit) ? (scope.moved ?? []) : []),
      die: (defect) => done(told(Exit.die(defect)))
    }
    waiting.push(job)
    schedule()
    return () => {
      job.cancelled = true
    }
  }

  /** Runs a unit in a transaction and answers after its commit. A caller that is interrupted takes it back. */
  const write = <A, E, R>(unit: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Sql>> =>
    Effect.withFiberRuntime<A, E, Exclude<R, Sql>>((fiber) =>
      Effect.async<A, E>((resume) => {
        const takeBack = submit(unit, fiber, resume)
        return Effect.sync(takeBack)
      })
    )

  return { submit, write }
}
