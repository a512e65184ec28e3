import * as HttpApi from "@effect/platform/HttpApi"
import { Context, Effect, Layer, Option, type Schema, SchemaAST } from "effect"
import { Api } from "../Api.ts"
import type { Permission } from "../kernel/Permission.ts"
import { isClosedToReaders, requirementOf, routeOf } from "../kernel/Requirements.ts"

/** What the door knows of a route of the contract. */
interface RouteFacts {
  /** What it can fail with, as its contract encodes it. */
  readonly errors: SchemaAST.AST
  readonly requires: Permission | "public"
  /** True when the role read-only may not use it, whatever its permissions. */
  readonly isClosedToReaders: boolean
  /** The names that its query may hold. */
  readonly parameters: ReadonlySet<string>
}

/**
 * What the door needs to know of the contract, by the names of routes (`GET /api/tasks/:id`). One walk over the contract
 * makes it: at a start, five of them would be heard.
 */
export class ContractTables extends Context.Tag("muster/ContractTables")<
  ContractTables,
  {
    readonly routes: ReadonlyMap<string, RouteFacts>
    /** The routes whose body is lines of text and not JSON. */
    readonly takesLines: ReadonlySet<string>
  }
>() {
  static readonly layer = Layer.effect(
    ContractTables,
    Effect.suspend(() => walked)
  )
}

/** There is one contract, so one walk serves all servers of a process. */
const walked = Effect.runSync(
  Effect.cached(
    Effect.sync(() => {
      const routes = new Map<string, RouteFacts>()
      const takesLines = new Set<string>()
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: (shown) => {
          const route = routeOf(shown)
          routes.set(route, {
            errors: shown.endpoint.errorSchema.ast,
            requires: requirementOf(shown),
            isClosedToReaders: isClosedToReaders(shown),
            parameters: Option.match(shown.endpoint.urlParamsSchema, { onNone: () => none, onSome: namesOf })
          })
          if ([...shown.payloads.values()].some(({ encoding }) => encoding.kind === "Text")) {
            takesLines.add(route)
          }
        }
      })
      return { routes, takesLines }
    })
  )
)

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
