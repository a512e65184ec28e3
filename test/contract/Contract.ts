import { HttpApi, HttpApiError, type HttpApiGroup, OpenApi } from "@effect/platform"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Context, Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { Api } from "../../src/Api.ts"
import { Requires, type RouteRule } from "../../src/kernel/Authorization.ts"
import type { Requirement, Way } from "../../src/kernel/Requirement.ts"

export type AnySchema = Schema.Schema<unknown, unknown>

/** One route of the contract, as the walks of this folder see it. */
export interface Route {
  /** `group.endpoint`: the operation id. */
  readonly name: string
  readonly method: HttpMethod
  /** The path below the origin, parameters as `:name`. */
  readonly path: string
  /** The guard that its contract names (`public`, `principals`, ...); undefined when it says nothing of who may use it. */
  readonly guard: string | undefined
  /** The ways by which principals are let through; none where they are not asked, or nobody is. */
  readonly ways: ReadonlyArray<Way>
  /** The middlewares that it stands behind. */
  readonly behind: ReadonlyArray<string>
  readonly description: string | undefined
  readonly pathSchema: AnySchema | undefined
  readonly querySchema: AnySchema | undefined
  readonly headersSchema: AnySchema | undefined
  /** What bodies it takes, by media type. */
  readonly payloads: ReadonlyMap<string, AnySchema>
  /** What it answers, by status; `undefined` is an answer without a body. */
  readonly successes: ReadonlyMap<number, AnySchema | undefined>
  readonly errors: ReadonlyMap<number, AnySchema | undefined>
}

const asSchema = (ast: SchemaAST.AST): AnySchema => Schema.make(ast)

const schemaOf = (schema: Option.Option<{ readonly ast: SchemaAST.AST }>): AnySchema | undefined =>
  Option.getOrUndefined(Option.map(schema, ({ ast }) => asSchema(ast)))

/** The members of a union, however deep; what is no union is its own and only member. */
export const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

/** The platform declares a decode error of its own on every route; the door renders another one in its place. */
const ours = (ast: SchemaAST.AST): SchemaAST.AST => {
  const members = membersOf(ast)
  const own = members.filter((member) => member !== HttpApiError.HttpApiDecodeError.ast)
  return own.length === members.length ? ast : SchemaAST.Union.make(own)
}

const byStatus = (
  answers: ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>
): ReadonlyMap<number, AnySchema | undefined> =>
  new Map(
    [...answers].map(([status, { ast }]) => [
      status,
      Option.getOrUndefined(Option.map(ast, (schema) => asSchema(ours(schema))))
    ])
  )

const waysOf = (requirement: Requirement): ReadonlyArray<Way> => {
  if (typeof requirement === "string") return [{ permission: requirement }]
  return "anyOf" in requirement ? requirement.anyOf : [requirement]
}

const said = (rule: RouteRule | undefined): Pick<Route, "guard" | "ways"> => {
  if (rule === undefined || rule === "public") return { guard: rule, ways: [] }
  return typeof rule === "object" && "guard" in rule
    ? { guard: rule.guard, ways: rule.requirement === undefined ? [] : waysOf(rule.requirement) }
    : { guard: "principals", ways: waysOf(rule) }
}

/** Every route of a contract. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<Route> => {
  const found: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, mergedAnnotations, middleware, payloads, successes }) => {
      found.push({
        name: `${group.identifier}.${endpoint.name}`,
        method: endpoint.method,
        path: endpoint.path,
        ...said(Option.getOrUndefined(Context.getOption(mergedAnnotations, Requires))),
        behind: [...middleware].map(({ key }) => key),
        description: Option.getOrUndefined(Context.getOption(endpoint.annotations, OpenApi.Description)),
        pathSchema: schemaOf(endpoint.pathSchema),
        querySchema: schemaOf(endpoint.urlParamsSchema),
        headersSchema: schemaOf(endpoint.headersSchema),
        payloads: new Map([...payloads].map(([mediaType, { ast }]) => [mediaType, asSchema(ast)])),
        successes: byStatus(successes),
        errors: byStatus(errors)
      })
    }
  })
  return found
}

/** Every route of the contract. */
export const routes: ReadonlyArray<Route> = routesOf(Api)

/** The names of the parameters in a route's path. */
export const parametersOf = ({ path }: Route): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "")

/** The path of a route with its parameters filled in. */
export const pathWith = ({ path }: Route, parameter: (name: string) => string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameter(name)))

/** How a body breaks a schema, or undefined when it fits. Members that the schema does not name are a breach. */
export const breach = (schema: AnySchema, body: unknown): string | undefined =>
  Either.match(Schema.decodeUnknownEither(schema)(body, { onExcessProperty: "error" }), {
    onLeft: (error) => ParseResult.TreeFormatter.formatErrorSync(error),
    onRight: () => undefined
  })

/** What is wrong with an answer, by what its route declares for that status; undefined when nothing is. */
export const problemOf = (
  route: Route,
  { body, status }: { readonly status: number; readonly body: unknown }
): string | undefined => {
  const answers = [route.successes, route.errors].filter((declared) => declared.has(status))
  if (answers.length === 0) return `it does not declare the status ${status}`
  const problems = answers.map((declared) => {
    const schema = declared.get(status)
    if (schema !== undefined) return breach(schema, body)
    return body === "" ? undefined : "an answer without a body has one"
  })
  return problems.includes(undefined) ? undefined : problems.join("\n")
}
