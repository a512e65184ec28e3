import { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import { type Adapter, isRelay, type RelayAdapter } from "./Adapter.ts"
import * as AdapterRepo from "./AdapterRepo.ts"
import { AdapterNotFound, AdapterOfOtherKind } from "./Errors.ts"

/** The adapter with an id. */
export const requireAdapter = (id: string): Effect.Effect<Adapter, AdapterNotFound, Sql> =>
  Effect.filterOrFail(
    AdapterRepo.find(id),
    (found) => found !== undefined,
    () => new AdapterNotFound({ adapterId: id })
  )

/** The adapter with an id, which must be a relay. */
export const requireRelay = (
  id: string
): Effect.Effect<RelayAdapter, AdapterNotFound | AdapterOfOtherKind, Sql> =>
  Effect.filterOrFail(
    requireAdapter(id),
    isRelay,
    ({ kind }) => new AdapterOfOtherKind({ adapterId: id, kind })
  )
