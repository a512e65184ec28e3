import { Schema } from "effect"

/** A field that may be absent, but not `undefined`. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { exact: true })
