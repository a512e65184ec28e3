import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Schema, SchemaAST } from "effect"

/**
 * The answer of a POST that created a resource: the resource, with status 201. It keeps the resource's identifier,
 * which an annotation alone would drop, so that the docs describe each resource once.
 */
export const created = <A, I, R>({ ast }: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
  Schema.make(
    SchemaAST.isUnion(ast)
      ? // The docs look for the status on the members alone, the answer on both.
        SchemaAST.Union.make(ast.types.map(with201), with201(ast).annotations)
      : with201(ast)
  )

const with201 = (ast: SchemaAST.AST): SchemaAST.AST => {
  const name = ast.annotations[SchemaAST.IdentifierAnnotationId]
  return SchemaAST.annotations(ast, {
    ...HttpApiSchema.annotations({ status: 201 }),
    ...(name === undefined ? {} : { [SchemaAST.IdentifierAnnotationId]: name })
  })
}
