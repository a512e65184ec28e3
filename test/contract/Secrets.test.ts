import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { kept, openly, secretFree, secretFreeJson } from "../../src/kernel/Incoming.ts"
import { nonBlank, text } from "../../src/kernel/Text.ts"
import { type AnySchema, routes } from "./Contract.ts"
import { type Place, placesIn } from "./Incoming.ts"

const requestsOf = (): ReadonlyArray<readonly [place: string, schema: AnySchema]> =>
  routes.flatMap(({ method, path, pathSchema, payloads, querySchema }) =>
    [
      ["path", pathSchema] as const,
      ["query", querySchema] as const,
      ...[...payloads].map(([mediaType, schema]) => [mediaType, schema] as const)
    ].flatMap(([part, schema]) =>
      schema === undefined ? [] : [[`${method} ${path} ${part}`, schema] as const]
    )
  )

const places: ReadonlyArray<Place> = requestsOf().flatMap(([at, { ast }]) => placesIn(ast, at))

const secret = "ghp_0123456789abcdefABCDEF0123456789abcd"

/** The places whose schema lets the secret through although it says that it does not. */
const leaks = (handling: "redacted" | "refused"): ReadonlyArray<string> =>
  places
    .filter((place) => place.handling === handling)
    .filter(({ ast }) => {
      const decoded = Schema.decodeUnknownEither(Schema.make(ast))(secret)
      return Either.isRight(decoded) && (handling === "refused" || JSON.stringify(decoded).includes(secret))
    })
    .map(({ at }) => at)

const unhandled = (schema: Schema.Schema.All): ReadonlyArray<string> =>
  placesIn(schema.ast, "body").flatMap(({ at, handling }) => (handling === undefined ? [at] : []))

describe("the secrets in what clients send", () => {
  it("are handled by the schema of every string of every request", () => {
    expect(places.length).toBeGreaterThan(300)
    expect([...new Set(places.flatMap(({ at, handling }) => (handling === undefined ? [at] : [])))]).toEqual(
      []
    )
  })

  it("are gone behind every place that redacts them", () => {
    expect(leaks("redacted")).toEqual([])
  })

  it("are a fault at every place that refuses them", () => {
    expect(leaks("refused")).toEqual([])
  })

  it("stay only where a schema says why", () => {
    const reasons = places.flatMap(({ handling }) => (typeof handling === "object" ? [handling.kept] : []))
    expect(reasons.filter((reason) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([])
  })
})

describe("the walk over the contract", () => {
  it("finds a string, a record and a value of any kind that nobody thought of", () => {
    const body = Schema.Struct({
      name: Schema.String,
      trimmed: Schema.Trim,
      nested: Schema.Array(Schema.NullOr(Schema.Struct({ note: Schema.String.pipe(Schema.maxLength(5)) }))),
      map: Schema.Record({ key: Schema.String, value: Schema.Number }),
      any: Schema.Unknown,
      withDefault: Schema.optionalWith(Schema.String, { default: () => "" }),
      secret: Schema.Redacted(Schema.String)
    })
    expect(unhandled(body)).toEqual([
      "body.name",
      "body.trimmed",
      "body.nested[].note",
      "body.map.<key>",
      "body.any",
      "body.withDefault",
      "body.secret"
    ])
  })

  it("is content with the building blocks, with words of a list, and with what becomes a number", () => {
    const body = Schema.Struct({
      free: text(10),
      named: nonBlank(10).annotations({ description: "A name" }),
      filtered: nonBlank(10).pipe(Schema.filter((said) => said !== "x")),
      wrapped: secretFree(Schema.Trim),
      json: secretFreeJson(Schema.Unknown),
      command: Schema.String.pipe(openly()),
      id: Schema.String.pipe(kept("An id is compared as it is.")).annotations({ description: "An id" }),
      word: Schema.Literal("a", "b"),
      count: Schema.NumberFromString,
      flag: Schema.optional(Schema.Boolean)
    })
    expect(unhandled(body)).toEqual([])
  })
})
