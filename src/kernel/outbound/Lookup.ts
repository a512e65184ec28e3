import { lookup } from "node:dns/promises"
import { Context, Data, Effect, Either } from "effect"
import { type Allowance, isAddress, refusalOf } from "./Address.ts"
import { AddressRefused } from "./Target.ts"

/** An address that a name leads to. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** The name can't be resolved. `reason` is the system's error code, e.g. `ENOTFOUND`. */
export class NameNotFound extends Data.TaggedError("NameNotFound")<{ readonly reason: string }> {}

/**
 * How many names are resolved at once. The system's resolver blocks one of the few threads that files need too, and a
 * name server may keep it waiting for long.
 */
const lookupsAtOnce = 2

const turns = Effect.unsafeMakeSemaphore(lookupsAtOnce)

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<ResolvedAddress>, NameNotFound>

const systemLookup: Resolve = (name) =>
  Effect.tryPromise({
    try: () => lookup(name, { all: true, order: "verbatim" }),
    catch: (error) => new NameNotFound({ reason: codeOf(error) })
  }).pipe(
    Effect.map((found) =>
      found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }) as const)
    ),
    // A lookup can't be cancelled: whoever gives up leaves at once, but its turn is taken until the system answers.
    Effect.uninterruptible,
    turns.withPermits(1),
    Effect.disconnect
  )

/** How names become addresses: by the system's resolver, unless a test puts a name server of its own here. */
export class Lookup extends Context.Reference<Lookup>()("muster/Lookup", {
  defaultValue: () => systemLookup
}) {}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "ENOTFOUND"

/**
 * The addresses of a host, each of them checked: one that may not be reached refuses the whole name, so that nobody
 * hides a private address behind a public one.
 */
export const addressesOf = (
  resolve: Resolve,
  host: string,
  allow: Allowance
): Effect.Effect<ReadonlyArray<ResolvedAddress>, AddressRefused | NameNotFound> =>
  Effect.gen(function* () {
    const found: ReadonlyArray<ResolvedAddress> = isAddress(host)
      ? [{ address: host, family: host.includes(":") ? 6 : 4 }]
      : yield* resolve(host)
    if (found.length === 0) return yield* new NameNotFound({ reason: "ENODATA" })
    yield* Either.all(found.map(({ address }) => admitted(address, allow)))
    return found
  })

const admitted = (address: string, allow: Allowance): Either.Either<void, AddressRefused> => {
  const reason = refusalOf(address, allow)
  return reason === undefined ? Either.void : Either.left(new AddressRefused({ reason }))
}
