import type { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import * as ProcessRepo from "./ProcessRepo.ts"

export type { RecordedProcess } from "./ProcessRepo.ts"

/**
 * The processes that are written down: at a start those that a server before left behind, and later those that run. Who
 * settles an attempt strikes its process out in the same unit; one that is never struck out is found at the next start.
 */
export const recorded: Effect.Effect<ReadonlyArray<ProcessRepo.RecordedProcess>, never, Sql> = ProcessRepo.all

/** Strikes out the process of an attempt that is over. */
export const forget: (attemptId: string) => Effect.Effect<void, never, Sql> = ProcessRepo.remove
