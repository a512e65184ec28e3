import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Schema } from "effect"
import { madeOnce } from "./MadeOnce.ts"

/**
 * The three error envelopes of the interface (spec 1-core, Errors; README, ruling 5). A domain error knows
 * no HTTP; a room's `Api.ts` gives it its wire form with one of these calls and declares it with `addError`.
 * The error's own fields are the envelope's `details`.
 */
interface Wire<I> {
  readonly status: number
  readonly code: string
  readonly message: (error: I) => string
}

type Fields = Record<string, unknown>

interface Shape {
  readonly schema: (code: string, hasDetails: boolean) => Schema.Schema.AnyNoContext
  readonly wrap: (code: string, message: string, details: Fields) => unknown
  readonly details: (wire: unknown) => unknown
}

const Details = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const shapes = {
  general: {
    // An error without fields takes no details: else every other error of its code would decode to it in a client.
    schema: madeOnce((code: string, hasDetails: boolean) => {
      const bare = { error: Schema.String, code: Schema.Literal(code) }
      return hasDetails
        ? Schema.Struct({ ...bare, details: Schema.optional(Details) })
        : Schema.Struct(bare).annotations({ parseOptions: { onExcessProperty: "error" } })
    }),
    wrap: (code, message, details) =>
      Object.keys(details).length === 0 ? { error: message, code } : { error: message, code, details },
    details: (wire) => member(wire, "details")
  },
  conflict: {
    schema: (code) => Schema.Struct({ code: Schema.Literal(code), message: Schema.String, details: Details }),
    wrap: (code, message, details) => ({ code, message, details }),
    details: (wire) => member(wire, "details")
  },
  nested: {
    schema: (code) =>
      Schema.Struct({
        success: Schema.Literal(false),
        error: Schema.Struct({ code: Schema.Literal(code), message: Schema.String, details: Details })
      }),
    wrap: (code, message, details) => ({ success: false, error: { code, message, details } }),
    details: (wire) => member(member(wire, "error"), "details")
  }
} satisfies Record<string, Shape>

const envelope =
  (shape: Shape) =>
  <A, I extends object>(
    error: Schema.Schema<A, I> & {
      readonly _tag: string
      readonly identifier: string
      readonly fields: object
    },
    wire: Wire<I>
  ): Schema.Schema<A, unknown> =>
    Schema.transform(shape.schema(wire.code, Object.keys(error.fields).length > 1), error, {
      strict: false,
      decode: (encoded: unknown) => Object.assign({ _tag: error._tag }, shape.details(encoded)),
      encode: (encoded: I) => {
        const details = Object.fromEntries(Object.entries(encoded).filter(([field]) => field !== "_tag"))
        return shape.wrap(wire.code, wire.message(encoded), details)
      }
    }).annotations({
      ...HttpApiSchema.annotations({ status: wire.status }),
      identifier: error.identifier,
      description: `${wire.status} ${wire.code}`
    })

/** `{error, code, details?}`: what most routes answer. */
export const general = envelope(shapes.general)

/** `{code, message, details}`: revision and identity conflicts. */
export const conflict = envelope(shapes.conflict)

/** `{success: false, error: {code, message, details}}`: enforcement gates and workflow routes. */
export const nested = envelope(shapes.nested)
