import { Schema } from "effect"

/** A parameter of a query that may come several times, or once with commas: one or more of the values of a kind. */
export const severalOf = <A extends string>(kind: Schema.Schema<A>, called: string) =>
  Schema.transform(Schema.Union(Schema.String, Schema.Array(Schema.String)), Schema.NonEmptyArray(kind), {
    strict: false,
    decode: (value: string | ReadonlyArray<string>) =>
      [value]
        .flat()
        .flatMap((part) => part.split(","))
        .map((part) => part.trim()),
    encode: (values) => values.join(",")
  }).annotations({ description: `One or more ${called}, repeated or separated by commas` })
