/** An OpenAPI document, as far as this file changes it. */
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, unknown>; securitySchemes?: unknown }
  [member: string]: unknown
}

interface Operation {
  readonly responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
  [member: string]: unknown
}

interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
}

const decodeError = "#/components/schemas/HttpApiDecodeError"

/**
 * Finishes the generated document: paths relative to the two prefixes, the ways to authenticate, and none of the
 * platform's own decode error, which the service renders as a validation error.
 */
export const openApiDocument = (generated: Record<string, unknown>): Record<string, unknown> => {
  const document = generated as Document
  const { HttpApiDecodeError: _, ...schemas } = document.components.schemas
  return {
    ...document,
    servers: [
      { url: "/api/v1", description: "The canonical prefix" },
      { url: "/api", description: "An alias of it" }
    ],
    security: [{ apiKey: [] }, { bearer: [] }],
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, operations]) => [
        path.replace(/^\/api(?=\/)/, ""),
        mapValues(operations, withoutDecodeError)
      ])
    ),
    components: {
      ...document.components,
      schemas,
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

const withoutDecodeError = (operation: Operation): Operation => ({
  ...operation,
  responses: mapValues(operation.responses ?? {}, ({ content, ...response }) =>
    content === undefined
      ? response
      : {
          ...response,
          content: mapValues(content, ({ schema, ...media }) => ({ ...media, ...pruned(schema) }))
        }
  )
})

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const pruned = (schema: Schema | undefined): { schema?: Schema } => {
  if (schema === undefined) return {}
  const members = schema.anyOf?.filter((member) => member.$ref !== decodeError)
  if (members === undefined) return { schema }
  const [only, ...others] = members
  return { schema: only !== undefined && others.length === 0 ? only : { ...schema, anyOf: members } }
}
