/** What an error says that a chain of causes leads to. */
const chainOf = (error: unknown): ReadonlyArray<Error> => {
  const found: Array<Error> = []
  for (let at = error; at instanceof Error && !found.includes(at); at = at.cause) found.push(at)
  return found
}

const isUnloadable = (error: Error): boolean =>
  ("code" in error && error.code === "ERR_DLOPEN_FAILED") ||
  /NODE_MODULE_VERSION|Could not locate the bindings file/.test(error.message)

/**
 * What keeps SQLite from being loaded, with the way out: it was compiled for another Node, for another machine, or not
 * at all. Undefined when the error is another one.
 */
export const nativeFault = (error: unknown): string | undefined =>
  chainOf(error).some(isUnloadable)
    ? `SQLite can't be loaded: better-sqlite3 was not compiled for this Node (${process.versions.node}) on this machine. Compile it with npm rebuild better-sqlite3`
    : undefined
