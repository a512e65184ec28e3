import { Predicate, Schema, SchemaAST } from "effect"
import { parseStored, StoredUnreadable } from "../kernel/Json.ts"

/** How many texts of a column are known: beyond them, all are looked at again. */
const knownLimit = 200

/** The property of a value that does not fit, when it is an object that should have it. */
const misfitOf = ({ ast }: Schema.Schema.AnyNoContext, value: unknown): string | undefined => {
  if (!SchemaAST.isTypeLiteral(ast) || !Predicate.isRecord(value)) return undefined
  const misfit = ast.propertySignatures.find(({ isOptional, name, type }) =>
    name in value ? !Schema.is(Schema.make(type))(value[name]) : !isOptional
  )
  return misfit === undefined ? undefined : String(misfit.name)
}

/**
 * Reads JSON of a kind where it is stored. Its shape is looked at and its limits are not: those were for who wrote it, and
 * may have been others then. A text that was read before is what it was then, so what does not change is looked at once.
 * What does not fit was not written by this program: a defect, which names where it stands and shows nothing of it.
 */
export const columnReader = <A, I>(
  kind: Schema.Schema<A, I>,
  table: string,
  column = "json"
): ((json: string, id: string) => A) => {
  let shape: Schema.Schema<A> | undefined
  let fits: ((value: unknown) => value is A) | undefined
  const known = new Map<string, A>()
  return (json, id) => {
    const before = known.get(json)
    if (before !== undefined) return before
    // Made with the first text that is read: no start waits for it.
    shape ??= Schema.encodedSchema(Schema.typeSchema(kind))
    fits ??= Schema.is(shape)
    const value = parseStored<unknown>(json, { table, id, field: column })
    if (!fits(value)) {
      const misfit = misfitOf(shape, value)
      throw new StoredUnreadable({ table, id, field: misfit === undefined ? column : `${column}.${misfit}` })
    }
    if (known.size >= knownLimit) known.clear()
    known.set(json, value)
    return value
  }
}
