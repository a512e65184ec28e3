import { parseStored } from "./Json.ts"
import { enoughFor, plainPermission, told as toldEnough } from "./Requirement.ts"
import type { SecurityScheme } from "./RouteGuard.ts"
import type { Kept } from "./RouteRules.ts"

/** An OpenAPI document, as far as this file changes it. */
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly tags?: ReadonlyArray<{ readonly name: string }>
  readonly components: { readonly schemas: Record<string, unknown> }
  [member: string]: unknown
}

interface Operation {
  readonly operationId?: string
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly requestBody?: { readonly content?: Record<string, object> }
  readonly responses?: Record<string, { content?: Record<string, { schema?: Schema }>; $ref?: string }>
  [member: string]: unknown
}

interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
}

const components = "#/components/schemas/"
const decodeError = `${components}HttpApiDecodeError`

/** What the generator does not know of a contract. */
export interface About {
  /** Who may use each operation, by `METHOD /path`. */
  readonly rules: ReadonlyMap<string, Kept>
  /** The groups by their titles, in the order in which a reader gets them. */
  readonly contents: ReadonlyArray<string>
  /** A body for operations that take one, by operation id. */
  readonly examples: Readonly<Record<string, unknown>>
}

/**
 * Finishes the generated document: paths relative to the two prefixes and in the order of their groups, the ways to
 * authenticate, what each operation needs of whom, a summary and an example, and none of the platform's own
 * decode error, which the service renders as a validation error.
 */
export const openApiDocument = (
  generated: Record<string, unknown>,
  { contents, examples, rules }: About
): Record<string, unknown> => {
  const document = generated as Document
  const placeOf = (group: string | undefined): number => {
    const place = contents.indexOf(group ?? "")
    return place < 0 ? contents.length : place
  }
  const groupOf = (operations: Record<string, Operation>) => Object.values(operations)[0]?.tags?.[0]
  const inOrder = Object.entries(tidied(document.paths)).sort(
    ([, one], [, other]) => placeOf(groupOf(one)) - placeOf(groupOf(other))
  )
  const paths = Object.fromEntries(
    inOrder.map(([path, operations]) => [
      path.replace(/^\/api(?=\/)/, ""),
      mapEntries(operations, (operation, method) => {
        const rule = rules.get(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`)
        return {
          ...withExample(withDoor(withoutDecodeError(operation)), examples),
          ...told(operation, rule),
          ...access(rule)
        }
      })
    ])
  )
  return {
    ...document,
    servers: [
      { url: "/api/v1", description: "The canonical prefix" },
      { url: "/api", description: "An alias of it" }
    ],
    security: secured,
    tags: document.tags?.toSorted((one, other) => placeOf(one.name) - placeOf(other.name)),
    paths,
    components: {
      ...document.components,
      schemas: reachable(tidied(document.components.schemas), paths),
      responses: doorResponses,
      securitySchemes: schemesOf(rules)
    }
  }
}

/** The longest summary, in characters: one line of the page. */
const summaryLength = 110

/** What an operation does, in one line: the first sentence of its description, as far as it fits. */
export const summaryOf = (description: string): string => {
  const plain = description.replaceAll("`", "").replace(/\s+/g, " ").trim()
  const sentence = (/^.*?[.](?=\s|$)/.exec(plain)?.[0] ?? plain).replace(/[.]$/, "")
  if (sentence.length <= summaryLength) return sentence
  const cut = sentence.slice(0, summaryLength)
  const clause = Math.max(cut.lastIndexOf(", "), cut.lastIndexOf(" ("))
  return `${cut.slice(0, clause > 0 ? clause : cut.lastIndexOf(" "))} …`
}

/** The summary, and who may use it as a reader sees it: below the description. */
const told = ({ description = "", summary }: Operation, rule: Kept | undefined) => ({
  summary: summary ?? summaryOf(description),
  description: [description, ...(rule === undefined ? [] : [needOf(rule)])].join("\n\n")
})

const needOf = ({ guard, requirement }: Kept): string => {
  const credentials = Object.keys(guard.accepts)
  if (credentials.length === 0) return "Needs no credential."
  return requirement === undefined
    ? `Takes the credential ${credentials.map(mark).join(" or ")} alone.`
    : `Needs ${toldEnough(enoughFor(requirement), mark)}.`
}

const mark = (name: string): string => `\`${name}\``

const withExample = (operation: Operation, examples: About["examples"]): Operation => {
  const example = examples[operation.operationId ?? ""]
  const content = operation.requestBody?.content
  return example === undefined || content === undefined
    ? operation
    : {
        ...operation,
        requestBody: {
          ...operation.requestBody,
          content: mapEntries(content, (media) => ({ ...media, example }))
        }
      }
}

const secured = [{ apiKey: [] }, { bearer: [] }]

/** Any of the credentials that its guard takes; an empty `security` means that everybody may. */
const access = (rule: Kept | undefined) => {
  if (rule === undefined) return {}
  const security = Object.keys(rule.guard.accepts).map((name) => ({ [name]: [] }))
  if (rule.requirement === undefined) return { security }
  const permission = plainPermission(rule.requirement)
  return permission === undefined
    ? { security, "x-required-any-of": enoughFor(rule.requirement) }
    : { security, "x-required-permission": permission }
}

/** The credentials that anybody takes. */
const schemesOf = (rules: About["rules"]): Readonly<Record<string, SecurityScheme>> =>
  Object.assign({}, ...[...rules.values()].map(({ guard }) => guard.accepts))

const withoutDecodeError = (operation: Operation): Operation => ({
  ...operation,
  responses: mapEntries(operation.responses ?? {}, ({ content, ...response }) =>
    content === undefined
      ? response
      : {
          ...response,
          content: mapEntries(content, ({ schema, ...media }) => ({ ...media, ...pruned(schema) }))
        }
  )
})

/** An answer in the general envelope. */
const refusalOf = (description: string, code: string) => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["error", "code"],
        properties: { error: { type: "string" }, code: { enum: [code] }, details: { type: "object" } }
      }
    }
  }
})

/** What the door answers to a body before any route sees it. */
const doorResponses = {
  PayloadTooLarge: refusalOf("The body is larger than the route takes", "PAYLOAD_TOO_LARGE"),
  UnsupportedMediaType: refusalOf(
    "The body has a type that the route does not take",
    "UNSUPPORTED_MEDIA_TYPE"
  )
}

const withDoor = (operation: Operation): Operation =>
  operation["requestBody"] === undefined
    ? operation
    : {
        ...operation,
        responses: {
          ...operation.responses,
          413: { $ref: "#/components/responses/PayloadTooLarge" },
          415: { $ref: "#/components/responses/UnsupportedMediaType" }
        }
      }

const mapEntries = <A, B>(record: Record<string, A>, map: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))

const pruned = (schema: Schema | undefined): { schema?: Schema } => {
  if (schema === undefined) return {}
  const members = schema.anyOf?.filter((member) => member.$ref !== decodeError)
  if (members === undefined) return { schema }
  const [only, ...others] = members
  return { schema: only !== undefined && others.length === 0 ? only : { ...schema, anyOf: members } }
}

/** Without the names that the generator gives to filters (`maxLength(200)`) and to what may be anything. */
const tidied = <A>(value: A): A =>
  parseStored(
    JSON.stringify(value, (key, member: unknown) =>
      key === "$id" || (key === "title" && typeof member === "string") ? undefined : member
    )
  )

/** The schemas that the paths refer to, themselves or through others, by name. */
const reachable = (schemas: Record<string, unknown>, paths: unknown): Record<string, unknown> => {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    for (const [key, member] of Object.entries(value)) {
      if (key !== "$ref" || typeof member !== "string") visit(member)
      else if (!names.has(member)) {
        names.add(member)
        visit(schemas[member.slice(components.length)])
      }
    }
  }
  visit(paths)
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => names.has(`${components}${name}`))
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )
}
