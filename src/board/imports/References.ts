/** What a task can be called: its id, and the id that it had in the file that it came from. */
export interface Named {
  readonly id: string
  readonly sourceId?: string | null
}

/** The number at the end of a name, e.g. `100.1` of `BACK-100.1`; it stands alone or behind a separator. */
const numberPattern = /(?:^|[^A-Za-z0-9.])(\d+(?:\.\d+)*)$/

/** One meaning for each key, or several: then the key means nothing. */
class Meanings {
  private readonly ids = new Map<string, string | undefined>()

  add(key: string, id: string): void {
    this.ids.set(key, !this.ids.has(key) || this.ids.get(key) === id ? id : undefined)
  }

  get(key: string): string | undefined {
    return this.ids.get(key)
  }
}

/**
 * Finds tasks by the names that files give them: by the exact id, then by the exact id in their file, then without
 * regard to case, then by the number at the end. A name that fits several tasks finds none of them.
 */
export class References {
  private readonly exact = new Set<string>()
  private readonly sources = new Meanings()
  private readonly folded = new Meanings()
  private readonly numbers = new Meanings()

  constructor(tasks: Iterable<Named>) {
    for (const task of tasks) this.add(task)
  }

  /** Makes a task known. */
  add({ id, sourceId }: Named): void {
    this.exact.add(id)
    this.folded.add(id.toLowerCase(), id)
    const number = numberPattern.exec(id)?.[1]
    if (number !== undefined) this.numbers.add(number, id)
    if (sourceId !== undefined && sourceId !== null) this.sources.add(sourceId, id)
  }

  /** The id of the task that a reference means. */
  find(reference: string): string | undefined {
    if (this.exact.has(reference)) return reference
    const number = numberPattern.exec(reference)?.[1]
    return (
      this.sources.get(reference) ??
      this.folded.get(reference.toLowerCase()) ??
      (number === undefined ? undefined : this.numbers.get(number))
    )
  }
}
