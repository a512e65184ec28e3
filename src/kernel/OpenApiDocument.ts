import { parseStored } from "./Json.ts"
import type { Permission } from "./Permission.ts"

/** An OpenAPI document, as far as this file changes it. */
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, unknown> }
  [member: string]: unknown
}

interface Operation {
  readonly responses?: Record<string, { content?: Record<string, { schema?: Schema }>; $ref?: string }>
  [member: string]: unknown
}

interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
}

const components = "#/components/schemas/"
const decodeError = `${components}HttpApiDecodeError`

/**
 * Finishes the generated document: paths relative to the two prefixes, the ways to authenticate, the permission that
 * each operation needs (by `METHOD /path`), and none of the platform's own decode error, which the service renders as a
 * validation error.
 */
export const openApiDocument = (
  generated: Record<string, unknown>,
  permissions: ReadonlyMap<string, Permission | "public">
): Record<string, unknown> => {
  const document = generated as Document
  const paths = Object.fromEntries(
    Object.entries(tidied(document.paths)).map(([path, operations]) => [
      path.replace(/^\/api(?=\/)/, ""),
      mapEntries(operations, (operation, method) => ({
        ...withDoor(withoutDecodeError(operation)),
        ...access(permissions.get(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`))
      }))
    ])
  )
  return {
    ...document,
    servers: [
      { url: "/api/v1", description: "The canonical prefix" },
      { url: "/api", description: "An alias of it" }
    ],
    security: secured,
    paths,
    components: {
      ...document.components,
      schemas: reachable(tidied(document.components.schemas), paths),
      responses: doorResponses,
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "A key of an agent, a script or an admin"
        },
        bearer: { type: "http", scheme: "bearer", description: "The token of a paired device" }
      }
    }
  }
}

const secured = [{ apiKey: [] }, { bearer: [] }]

/** An empty `security` means that everybody may. */
const access = (permission: Permission | "public" | undefined) =>
  permission === "public" ? { security: [] } : { security: secured, "x-required-permission": permission }

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
