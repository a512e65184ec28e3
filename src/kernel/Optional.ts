import { Schema } from "effect"

/** A field that may be absent. `undefined` is no value of it. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { exact: true })
