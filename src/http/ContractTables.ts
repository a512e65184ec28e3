import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { Context, Effect, Layer, Option, type Schema, SchemaAST } from "effect"
import { isAdministrative } from "../identity/Denials.ts"
import { type Admits, compile, type Requirement } from "../kernel/Requirement.ts"
import type { RouteGuard } from "../kernel/RouteGuard.ts"
import { keptOf, routeOf } from "../kernel/RouteRules.ts"

/** What a route requires of an actor, with the decision made ready. */
interface Asked {
  readonly requirement: Requirement
  readonly admits: Admits
  /** True when no agent meets it, whose refusals are remembered (decision Q62). */
  readonly isAdministrative: boolean
}

/** What the door knows of a route of the contract. */
export interface RouteFacts {
  /** What it can fail with, as its contract encodes it. */
  readonly errors: SchemaAST.AST
  /** Undefined where its guard asks for nothing of an actor. */
  readonly asked: Asked | undefined
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
  /** Dies where a route does not say who may use it, or not truly: such a server does not start. */
  static readonly layer = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
    api: HttpApi.HttpApi<Id, Groups, E, R>,
    guards: ReadonlyArray<RouteGuard>
  ) =>
    Layer.effect(
      ContractTables,
      Effect.sync(() => {
        const routes = new Map<string, RouteFacts>()
        const takesLines = new Set<string>()
        HttpApi.reflect(api, {
          onGroup: () => {},
          onEndpoint: (shown) => {
            const route = routeOf(shown)
            const { requirement } = keptOf(shown, guards)
            routes.set(route, {
              errors: shown.endpoint.errorSchema.ast,
              asked: requirement === undefined ? undefined : askedBy(requirement, shown.endpoint.method),
              parameters: Option.match(shown.endpoint.urlParamsSchema, {
                onNone: () => none,
                onSome: namesOf
              })
            })
            if ([...shown.payloads.values()].some(({ encoding }) => encoding.kind === "Text")) {
              takesLines.add(route)
            }
          }
        })
        return { routes, takesLines }
      })
    )
}

const askedBy = (requirement: Requirement, method: string): Asked => ({
  requirement,
  admits: compile(requirement, method),
  isAdministrative: isAdministrative(requirement)
})

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
