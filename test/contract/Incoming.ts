import type { SchemaAST } from "effect"
import { type Handling, handlingOf } from "../../src/kernel/Incoming.ts"

/** A string, or a value of any kind, that a request can hold: where it stands, and what becomes of secrets in it. */
export interface Place {
  readonly at: string
  readonly ast: SchemaAST.AST
  readonly handling: Handling | undefined
}

/** Whether something of this type can hold text that a client is free to choose. */
const isFree = (ast: SchemaAST.AST, seen: ReadonlySet<SchemaAST.AST> = new Set()): boolean => {
  if (seen.has(ast)) return false
  const inside = (part: SchemaAST.AST) => isFree(part, new Set([...seen, ast]))
  switch (ast._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
    case "UnknownKeyword":
    case "AnyKeyword":
    case "ObjectKeyword":
    case "Declaration":
      return true
    case "Refinement":
      return inside(ast.from)
    case "Transformation":
      return inside(ast.to)
    case "Suspend":
      return inside(ast.f())
    case "Union":
      return ast.types.some(inside)
    case "TupleType":
      return [...ast.elements, ...ast.rest].some(({ type }) => inside(type))
    case "TypeLiteral":
      return (
        ast.propertySignatures.some(({ type }) => inside(type)) ||
        ast.indexSignatures.some(({ parameter, type }) => inside(parameter) || inside(type))
      )
    default:
      return false
  }
}

const isHandled = (places: ReadonlyArray<Place>): boolean =>
  places.every(({ handling }) => handling !== undefined)

/** Every place in a schema where text comes in. What decodes to numbers, flags and words of a list is none. */
export const placesIn = (
  ast: SchemaAST.AST,
  at: string,
  seen: ReadonlySet<SchemaAST.AST> = new Set()
): ReadonlyArray<Place> => {
  const handling = handlingOf(ast)
  if (handling !== undefined) return [{ at, ast, handling }]
  if (seen.has(ast)) return []
  const inside = (part: SchemaAST.AST, place = at) => placesIn(part, place, new Set([...seen, ast]))
  switch (ast._tag) {
    case "Refinement":
      return inside(ast.from)
    case "Suspend":
      return inside(ast.f())
    case "Union":
      return ast.types.flatMap((type) => inside(type))
    case "TupleType":
      return [
        ...ast.elements.flatMap(({ type }, index) => inside(type, `${at}[${index}]`)),
        ...ast.rest.flatMap(({ type }) => inside(type, `${at}[]`))
      ]
    case "TypeLiteral":
      return [
        ...ast.propertySignatures.flatMap(({ name, type }) => inside(type, `${at}.${String(name)}`)),
        ...ast.indexSignatures.flatMap(({ parameter, type }) => [
          ...inside(parameter, `${at}.<key>`),
          ...inside(type, `${at}.*`)
        ])
      ]
    case "Transformation": {
      if (!isFree(ast)) return []
      const sent = inside(ast.from)
      // What comes out of one half goes through the other: it is enough when one of them handles its secrets.
      return isHandled(sent) || ast.transformation._tag === "TypeLiteralTransformation"
        ? sent
        : inside(ast.to)
    }
    default:
      return isFree(ast) ? [{ at, ast, handling }] : []
  }
}
