import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { openReader } from "../../src/storage/Connection.ts"
import { type Build, runOn } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { temporaryDirectory } from "./World.ts"

/** A store on a directory that outlives it: for restarts. */
export const storageIn = (directory: string) =>
  Storage.layerSqlite({ directory }).pipe(Layer.provide(NodeContext.layer))

/** A store of its own, gone when the test is over. */
export const storage = Layer.unwrapScoped(Effect.map(temporaryDirectory, storageIn))

/** The same without a file, for tests that write more than a disk likes. */
export const storageInMemory = Layer.unwrapScoped(
  Effect.map(temporaryDirectory, (directory) =>
    Storage.layerSqlite({ directory, filename: ":memory:" }).pipe(Layer.provide(NodeContext.layer))
  )
)

/** Reads a database from outside, whether or not a server works on it. */
export const readDatabase = <Row extends object>(
  directory: string,
  build: Build
): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.scoped(
    Effect.flatMap(Effect.orDie(openReader(join(directory, "muster.db"))), (connection) =>
      runOn<Row>(connection, build)
    )
  )
