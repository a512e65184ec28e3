import { FastCheck } from "effect"

/** Values that programs trip over, for any place in a JSON body. */
const values: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER + 1,
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202eevil\u200b",
  "__proto__",
  "constructor",
  "toString",
  "../../../etc/passwd",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "2026-13-45T99:99:99Z",
  "-000001-01-01T00:00:00Z",
  "x".repeat(5_000),
  "é".repeat(150_000),
  [],
  {},
  [[[[]]]],
  [null],
  { length: -1 },
  { toString: null, valueOf: null },
  JSON.parse('{"then":"not a promise"}'),
  Array.from({ length: 2_000 }, (_, index) => index)
]

/** Texts where a JSON body should be. */
const texts: ReadonlyArray<string | Uint8Array> = [
  "",
  " ",
  "{",
  "[1, 2",
  '{"title":',
  "nul",
  "NaN",
  "undefined",
  "null",
  "0",
  "-0",
  '"text"',
  "[]",
  "[{}]",
  "1e400",
  '{"title":1e400}',
  '{"title":-0,"importance":-0}',
  '{"title":"a","title":{}}',
  '{"title":"\\ud800"}',
  '{"title":"\\u0000"}',
  "{'title':'single'}",
  "\ufeff{}",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${"[".repeat(65)}${"]".repeat(65)}`,
  "[".repeat(100_000),
  `{"a":${'{"a":'.repeat(63)}1${"}".repeat(64)}`,
  `[${"0,".repeat(300_000)}0]`,
  Uint8Array.of(0x22, 0xc0, 0xaf, 0x22),
  Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  "x".repeat(1_048_577)
]

/** Strings where an id, a query value or a header should be; each is one that the wire can carry. */
export const words: ReadonlyArray<string> = [
  "",
  " ",
  ".",
  "..",
  "/",
  "\\",
  ":",
  "*",
  "%",
  "\u0000",
  "\ud83d\ude00",
  "é",
  "\u202e",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "null",
  "undefined",
  "-1",
  "0x10",
  "1e3",
  "9007199254740993",
  "99999999999999999999",
  "1.5",
  "NaN",
  "true",
  "a,b,,c",
  "../../etc/passwd",
  "' OR 1=1 --",
  "x".repeat(201),
  "x".repeat(4_000)
]

/** What a target can be spoiled with: broken escapes, traversals, doubled and trailing slashes, sheer length. */
export const spoils: ReadonlyArray<string> = [
  "%",
  "%zz",
  "%00",
  "%ff",
  "%c0%af",
  "%ed%a0%80",
  "/",
  "//",
  "/..",
  "/%2e%2e/",
  "%2f",
  ";a=b",
  "?",
  "??a",
  "#",
  "&&==",
  "+",
  "*",
  "~".repeat(9_000),
  "x".repeat(20_000),
  "/a".repeat(500)
]

/** Media types that a body can come under; `undefined` is none at all. */
export const mediaTypes: ReadonlyArray<string | undefined> = [
  undefined,
  "",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json;;;",
  "application/merge-patch+json",
  "application/jsonx",
  "application/x-ndjson",
  "text/plain",
  "text/html",
  "application/xml",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "image/png, application/json"
]

/** A change to a JSON value: at the given of all its places, something else. */
type Mutation = (value: unknown, place: number) => unknown

interface Place {
  readonly path: ReadonlyArray<string>
  readonly value: unknown
}

const placesIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<Place> =>
  typeof value !== "object" || value === null
    ? [{ path, value }]
    : [{ path, value }, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))]

/** The value with the member at a path changed; a member that becomes `undefined` is gone. */
const changedAt = (
  value: unknown,
  [key, ...rest]: ReadonlyArray<string>,
  change: (member: unknown) => unknown
): unknown => {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.flatMap((member, index) => {
      const next = String(index) === key ? changedAt(member, rest, change) : member
      return next === undefined ? [] : [next]
    })
  }
  const members = Object.entries(Object(value)).map(([name, member]) => [
    name,
    name === key ? changedAt(member, rest, change) : member
  ])
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

const somewhere =
  (change: (member: unknown) => unknown): Mutation =>
  (value, place) => {
    const places = placesIn(value)
    return changedAt(value, places[place % places.length]?.path ?? [], change)
  }

const mutation: FastCheck.Arbitrary<Mutation> = FastCheck.oneof(
  FastCheck.constantFrom(...values).map((value) => somewhere(() => value)),
  FastCheck.constant(somewhere(() => undefined)),
  FastCheck.constant(somewhere((member) => [member])),
  FastCheck.constant(somewhere((member) => ({ member }))),
  FastCheck.constant(somewhere((member) => JSON.stringify(member))),
  FastCheck.tuple(FastCheck.constantFrom(...words, "id", "revision", "createdBy"), FastCheck.jsonValue()).map(
    ([name, extra]) =>
      somewhere((member) =>
        typeof member === "object" && member !== null && !Array.isArray(member)
          ? { ...member, [name]: extra }
          : member
      )
  )
)

/** A JSON value after up to three mutations; often after none. */
export const mutated = (value: FastCheck.Arbitrary<unknown>): FastCheck.Arbitrary<unknown> =>
  FastCheck.tuple(
    value,
    FastCheck.oneof(
      { weight: 2, arbitrary: FastCheck.constant([]) },
      {
        weight: 3,
        arbitrary: FastCheck.array(FastCheck.tuple(mutation, FastCheck.nat()), { minLength: 1, maxLength: 3 })
      }
    )
  ).map(([whole, changes]) => changes.reduce((current, [change, place]) => change(current, place), whole))

/** A JSON text with a `__proto__` of its own, which no object in this program could carry there. */
const poisoned = (json: string): string => json.replace(/^\{(?=")/, '{"__proto__":{"polluted":true},')

/** A JSON text whose first number is beyond all numbers. */
const overflowing = (json: string): string => json.replace(/:-?\d+(\.\d+)?/, ":1e400")

/** A body: the JSON of a value, spoiled now and then, or something that is no JSON at all. */
export const bodies = (value: FastCheck.Arbitrary<unknown>): FastCheck.Arbitrary<string | Uint8Array> => {
  const json = value.map((whole) => JSON.stringify(whole) ?? "")
  return FastCheck.oneof(
    { weight: 12, arbitrary: json },
    { weight: 1, arbitrary: json.map(poisoned) },
    { weight: 1, arbitrary: json.map(overflowing) },
    { weight: 3, arbitrary: FastCheck.constantFrom(...texts) }
  )
}
