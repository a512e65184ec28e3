import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect, Option } from "effect"
import { redactText } from "../../kernel/Redaction.ts"
import { type SearchDocument, textLimit } from "./SearchDocument.ts"

/** How much of a folder is read: what is beyond it can't be found. */
const fileLimit = 2_000
const entryLimit = 20_000
const depthLimit = 8
const sizeLimit = 1_048_576

/** The title of a document: its first heading, or its name. */
export const titleOf = (text: string, path: string): string =>
  (/^#{1,6}[ \t]+(.+?)[ \t]*#*$/m.exec(text)?.[1] ?? path).slice(0, 500)

const documentOf = (path: string, raw: string): SearchDocument => {
  const text = redactText(raw).slice(0, textLimit)
  return { key: `doc:${path}`, id: path, collection: "docs", path, title: titleOf(text, path), text }
}

/**
 * The Markdown files of a folder, by names that begin with what the folder is called here. Links are not followed: they
 * may lead out of it. A file that can't be read, or is larger than 1 MiB, is passed over.
 */
export const readDocs = (
  directory: string,
  called: string
): Effect.Effect<ReadonlyArray<SearchDocument>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const found: Array<SearchDocument> = []
    const folders: Array<{ readonly at: string; readonly logical: string; readonly depth: number }> = [
      { at: directory, logical: called, depth: 0 }
    ]
    let looked = 0
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      const names = yield* Effect.orElseSucceed(files.readDirectory(folder.at), () => [])
      for (const name of names.sort()) {
        looked += 1
        if (found.length >= fileLimit || looked > entryLimit) return found
        const at = path.join(folder.at, name)
        const logical = `${folder.logical}/${name}`
        const isLink = Option.isSome(yield* Effect.option(files.readLink(at)))
        const about = isLink ? Option.none() : yield* Effect.option(files.stat(at))
        if (Option.isNone(about)) continue
        const { size, type } = about.value
        if (type === "Directory" && folder.depth < depthLimit && !name.startsWith(".")) {
          folders.push({ at, logical, depth: folder.depth + 1 })
        } else if (type === "File" && /\.(md|markdown)$/i.test(name) && size <= sizeLimit) {
          const text = yield* Effect.option(files.readFileString(at))
          if (Option.isSome(text)) found.push(documentOf(logical, text.value))
        }
      }
    }
    return found
  })

/** One file by itself; nothing when it can't be read. */
export const readDoc = (
  file: string,
  logical: string
): Effect.Effect<ReadonlyArray<SearchDocument>, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    files.readFileString(file).pipe(
      Effect.map((text) => [documentOf(logical, text)]),
      Effect.orElseSucceed(() => [])
    )
  )
