import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { Effect } from "effect"

/**
 * The content of a regular file of at most this many bytes; undefined when it is larger, something else, or can't be
 * read. A pipe or a device in its place does not block.
 */
export const smallFile = (path: string, limit: number): Effect.Effect<Buffer | undefined> =>
  Effect.promise(() => readSmall(path, limit).catch(() => undefined))

const readSmall = async (path: string, limit: number): Promise<Buffer | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const info = await file.stat()
    if (!info.isFile() || info.size > limit) return undefined
    const content = await file.readFile()
    return content.length > limit ? undefined : content
  } finally {
    await file.close()
  }
}

/** The first line of a small file; undefined when `smallFile` gives nothing. */
export const firstLine = (path: string): Effect.Effect<string | undefined> =>
  Effect.map(smallFile(path, 4_096), (content) => content?.toString().split("\n")[0]?.trimEnd())
