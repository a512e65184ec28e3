import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Option, Schema, SchemaAST } from "effect"

/** The answer to an error that a route declares; undefined to one that it does not. */
export type Refusals = (error: unknown) => HttpServerResponse.HttpServerResponse | undefined

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

/** The answers to the errors that a route declares, in the forms that its contract gives them. */
export const refusalsOf = (errors: SchemaAST.AST): Refusals => {
  const forms = membersOf(errors).map((ast) => ({
    encode: Schema.encodeUnknownOption(Schema.make<unknown, unknown>(ast)),
    status: HttpApiSchema.getStatusErrorAST(ast)
  }))
  return (error) => {
    for (const { encode, status } of forms) {
      const body = Option.getOrUndefined(encode(error))
      if (body !== undefined) return HttpServerResponse.unsafeJson(body, { status })
    }
    return undefined
  }
}
