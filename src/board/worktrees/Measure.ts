import { lstat } from "node:fs/promises"
import { Effect } from "effect"
import { type FileName, pathIn } from "../../kernel/git/FileName.ts"

/** A name in a work tree, and how many bytes what lies there has; nothing lies there when it is undefined. */
export interface Measured {
  readonly name: FileName
  readonly bytes: number | undefined
}

/** What git can hold: files and links. A pipe, a socket or a device has no content that could be saved. */
const measured = (directory: string, name: FileName): Promise<Measured | undefined> =>
  lstat(pathIn(directory, name)).then(
    (info) => {
      if (info.isFile() || info.isSymbolicLink()) return { name, bytes: info.size }
      return info.isDirectory() ? { name, bytes: 0 } : undefined
    },
    () => ({ name, bytes: undefined })
  )

/** Looks at what lies at each name, without following links or opening anything. */
export const measure = (
  directory: string,
  names: ReadonlyArray<FileName>
): Effect.Effect<ReadonlyArray<Measured>> =>
  Effect.map(
    Effect.forEach(names, (name) => Effect.promise(() => measured(directory, name)), { concurrency: 16 }),
    (all) => all.filter((one) => one !== undefined)
  )

/** The most that is saved while somebody waits for the answer: a few seconds of git's work. */
export const atOnce = { files: 10_000, bytes: 32 * 1_048_576 }

/** What is saved at once, in the order that it came in, and what is left for later. */
export interface Division {
  readonly first: ReadonlyArray<FileName>
  readonly later: ReadonlyArray<Measured>
}

/** Divides files into those that can be saved at once and the others: small ones first, whatever their order. */
export const divide = (all: ReadonlyArray<Measured>, limit = atOnce): Division => {
  const bySize = [...all].sort((one, other) => (one.bytes ?? 0) - (other.bytes ?? 0))
  const first = new Set<FileName>()
  let bytes = 0
  for (const file of bySize) {
    bytes += file.bytes ?? 0
    if (bytes > limit.bytes || first.size >= limit.files) break
    first.add(file.name)
  }
  return {
    first: all.flatMap(({ name }) => (first.has(name) ? [name] : [])),
    later: all.filter(({ name }) => !first.has(name))
  }
}
