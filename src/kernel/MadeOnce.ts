/**
 * Makes what a function makes once for the same arguments. Building blocks of schemas are values, and a start that makes
 * the same one for each field that uses it takes noticeably longer.
 */
export const madeOnce = <Args extends ReadonlyArray<unknown>, A>(
  make: (...args: Args) => A
): ((...args: Args) => A) => {
  const made: Array<readonly [Args, A]> = []
  return (...args) => {
    const found = made.find(
      ([known]) => known.length === args.length && known.every((one, at) => one === args[at])
    )
    if (found !== undefined) return found[1]
    const one = make(...args)
    made.push([args, one])
    return one
  }
}
