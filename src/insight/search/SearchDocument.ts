import { sha256 } from "../../kernel/Digest.ts"
import type { Collection } from "./Search.ts"

/** The most characters of a text that can be found. */
export const textLimit = 100_000

/** A text that can be found. `key` is unique over all collections. */
export interface SearchDocument {
  readonly key: string
  readonly id: string
  readonly collection: Collection
  readonly path: string
  readonly title: string
  readonly text: string
}

/** The key of a task. */
export const taskKey = (id: string): string => `task:${id}`

/** What the embedding of a document stands for: when it changes, the document is embedded again. */
export const hashOf = ({ text, title }: SearchDocument): string => sha256(`${title}\n${text}`)
