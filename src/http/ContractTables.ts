import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { Option, type Schema, SchemaAST } from "effect"

/** What the door needs to know of a contract's routes, each by method and path (`GET /api/tasks/:id`). */
export interface ContractTables {
  /** The names that a route's query may hold. */
  readonly parameters: ReadonlyMap<string, ReadonlySet<string>>
  /** The routes whose body is lines of text and not JSON. */
  readonly takesLines: ReadonlySet<string>
}

export const contractTables = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ContractTables => {
  const parameters = new Map<string, ReadonlySet<string>>()
  const takesLines = new Set<string>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, payloads }) => {
      const route = `${endpoint.method} ${endpoint.path}`
      parameters.set(route, Option.match(endpoint.urlParamsSchema, { onNone: () => none, onSome: namesOf }))
      if ([...payloads.values()].some(({ encoding }) => encoding.kind === "Text")) takesLines.add(route)
    }
  })
  return { parameters, takesLines }
}

const none: ReadonlySet<string> = new Set()

const namesOf = (schema: Schema.Schema.All): ReadonlySet<string> =>
  new Set(membersOf(SchemaAST.encodedAST(schema.ast)))

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map(({ name }) => String(name))
    case "Union":
      return ast.types.flatMap(membersOf)
    case "Refinement":
      return membersOf(ast.from)
    default:
      return []
  }
}
