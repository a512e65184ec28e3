import { createHash } from "node:crypto"
import { join } from "node:path"
import { Chunk, Effect, Stream } from "effect"
import { Blobs, keep } from "../../src/storage/blobs/Blobs.ts"
import { rows, run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"

/** What refers to blobs in tests: reports, each with its text in a blob. */
export const withReports = Effect.flatMap(Storage, ({ write }) =>
  write(
    run(sql`CREATE TABLE IF NOT EXISTS reports (id TEXT PRIMARY KEY, digest TEXT REFERENCES blobs (digest))`)
  )
)

export const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`

export const contentOf = (text: string) =>
  Stream.encodeText(Stream.fromIterable(text.match(/.{1,10000}/gs) ?? []))

/** Writes a report: its blob first, then the row that refers to it. */
export const report = (id: string, text: string) =>
  Effect.gen(function* () {
    const blob = yield* Effect.flatMap(Blobs, ({ put }) => put(contentOf(text), 10_000_000))
    const { write } = yield* Storage
    yield* write(
      Effect.zipRight(keep(blob), run(sql`INSERT INTO reports (id, digest) VALUES (${id}, ${blob.digest})`))
    )
    return blob.digest
  }).pipe(Effect.scoped)

export const withdraw = (id: string) =>
  Effect.flatMap(Storage, ({ write }) => write(run(sql`DELETE FROM reports WHERE id = ${id}`)))

/** Reads a blob, or a part of it. */
export const textOf = (digest: string, range?: { readonly offset: number; readonly length?: number }) =>
  Effect.gen(function* () {
    const { bytes } = yield* Effect.flatMap(Blobs, ({ open }) => open(digest, range))
    return Buffer.concat(Chunk.toArray(yield* Stream.runCollect(bytes))).toString()
  })

/** Every report with its text. */
export const reports = Effect.gen(function* () {
  const { read } = yield* Storage
  const all = yield* read(
    rows<{ id: string; digest: string }>(sql`SELECT id, digest FROM reports ORDER BY id`)
  )
  const texts = yield* Effect.forEach(all, ({ digest, id }) =>
    Effect.map(textOf(digest), (text) => [id, text] as const)
  )
  return Object.fromEntries(texts)
})

export const sweep = Effect.flatMap(Blobs, (service) => service.sweep)

/** The file of a blob in a data directory. */
export const fileOf = (directory: string, digest: string): string =>
  join(directory, "blobs", digest.slice(7, 9), digest.slice(7))
