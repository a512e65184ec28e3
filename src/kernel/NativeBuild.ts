/** The messages of an error and its causes. */
const chainOf = (error: unknown): ReadonlyArray<Error> => {
  const found: Array<Error> = []
  for (let at = error; at instanceof Error && !found.includes(at); at = at.cause) found.push(at)
  return found
}

const isUnloadable = (error: Error): boolean =>
  ("code" in error && error.code === "ERR_DLOPEN_FAILED") ||
  /NODE_MODULE_VERSION|Could not locate the bindings file/.test(error.message)

/**
 * Why SQLite can't be loaded, and what to do: it was compiled for another Node, for another machine, or not at all.
 * Undefined for any other error.
 */
export const nativeFault = (error: unknown): string | undefined =>
  chainOf(error).some(isUnloadable)
    ? `SQLite can't be loaded: better-sqlite3 was not compiled for this Node (${process.versions.node}) on this machine. Compile it with npm rebuild better-sqlite3`
    : undefined
