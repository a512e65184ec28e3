import { HttpApiSchema } from "@effect/platform"
import { Option, type Schema, SchemaAST } from "effect"

/**
 * What a POST answers that created something: the resource, with status 201. It keeps the resource's name, which
 * annotations on their own would take away, so that the docs describe each resource once.
 */
export const created = <A, I, R>(resource: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
  resource.annotations({
    ...HttpApiSchema.annotations({ status: 201 }),
    ...Option.match(SchemaAST.getIdentifierAnnotation(resource.ast), {
      onNone: () => ({}),
      onSome: (identifier) => ({ identifier })
    })
  })
