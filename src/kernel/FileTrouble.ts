/** What the system says about a file, in words. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not use it",
  EDQUOT: "the disk quota is used up",
  EEXIST: "a file stands where a directory should be",
  EIO: "the disk does not answer",
  EISDIR: "it is a directory",
  ELOOP: "its links lead in a circle",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENFILE: "too many files are open",
  ENOENT: "it is not there, and can't be made",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file stands where a directory should be",
  EPERM: "this user may not use it",
  EROFS: "it lies on a read-only file system"
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

/** The code of an error, or of what caused it: `ENOSPC` of the system, `SQLITE_FULL` of SQLite. */
export const codeOf = (error: unknown): string | undefined => {
  for (let cause = error, depth = 0; depth < 8 && cause !== undefined; depth++) {
    const code = member(cause, "code")
    if (typeof code === "string") return code
    cause = member(cause, "cause")
  }
  return undefined
}

/** Why a file can't be worked with. */
export const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  return (code === undefined ? undefined : reasons[code]) ?? `the system refuses it (${code ?? "unknown"})`
}

/** Whether there is no room for what was to be written. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "")
