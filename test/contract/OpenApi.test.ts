import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { contents } from "../../src/Contents.ts"
import { examples } from "../../src/Examples.ts"
import { told } from "../../src/kernel/Requirement.ts"
import { routes } from "./Contract.ts"
import { ajv, document, requestBreach } from "./Document.ts"

const committed = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
)

/** Every value of a document under a key, however deep. */
const allUnder = (key: string, value: unknown): ReadonlyArray<unknown> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        name === key ? [member, ...allUnder(key, member)] : allUnder(key, member)
      )

/** What a JSON pointer such as `#/components/schemas/Task` leads to. */
const resolve = (pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      document
    )

describe("the OpenAPI document", () => {
  it("is the one in the repository", () => {
    const remedy = "openapi.json is not what the contract says: run `npm run openapi` and commit the file"
    assert.deepStrictEqual(JSON.parse(committed), JSON.parse(JSON.stringify(document)), remedy)
    assert.isTrue(committed === `${JSON.stringify(document, null, 2)}\n`, `${remedy} (it differs in form)`)
  })

  it("is OpenAPI 3.1 with a title, a version and both prefixes", () => {
    assert.strictEqual(document.openapi, "3.1.0")
    assert.deepInclude(document.info, { title: "Muster", version: "6.1.3" })
    assert.deepStrictEqual(
      document.servers?.map(({ url }) => url),
      ["/api/v1", "/api"]
    )
  })

  it("has an operation for every route, under a name of its own", () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.sameMembers(
      names,
      routes.map(({ name }) => name)
    )
    assert.strictEqual(new Set(names).size, names.length)
  })

  it("leads somewhere with every reference, and describes nothing that nobody refers to", () => {
    const references = new Set(allUnder("$ref", document).map(String))
    for (const reference of references) assert.isObject(resolve(reference), reference)
    const { responses, schemas } = JSON.parse(committed).components
    assert.sameMembers(
      [
        ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
        ...Object.keys(responses).map((name) => `#/components/responses/${name}`)
      ],
      [...references]
    )
  })

  it("knows nothing of the platform's own decode error", () => {
    assert.notInclude(committed, "HttpApiDecodeError")
  })

  it("describes every operation, its parameters, and every answer", () => {
    for (const { method, operation, path } of operations) {
      const where = `${method} ${path}`
      assert.isAbove(operation.description?.length ?? 0, 10, where)
      assert.deepStrictEqual(
        operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        where
      )
      assert.isNotEmpty(operation.responses, where)
      for (const [status, response] of Object.entries(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/, where)
        const answer = "$ref" in response ? resolve(String(response.$ref)) : response
        assert.isAbove(
          String(Reflect.get(Object(answer), "description") ?? "").length,
          0,
          `${where} ${status}`
        )
        const takesBody = operation.requestBody !== undefined
        if (status === "413" || status === "415") assert.isTrue(takesBody, `${where} ${status}`)
      }
    }
  })

  it("says of every operation which permission it needs, and leaves only public ones open", () => {
    const required = new Map(routes.map((route) => [route.name, route]))
    for (const { operation } of operations) {
      const { guard, ways = [] } = required.get(operation.operationId) ?? {}
      const open = guard === "public"
      const [plain, ...others] = ways
      const isPlain = others.length === 0 && plain?.role === undefined
      assert.deepStrictEqual(
        [Reflect.get(operation, "x-required-permission"), Reflect.get(operation, "x-required-any-of")],
        open || isPlain ? [plain?.permission, undefined] : [undefined, ways],
        operation.operationId
      )
      assert.deepStrictEqual(
        operation.security,
        open ? [] : [{ apiKey: [] }, { bearer: [] }],
        operation.operationId
      )
    }
    for (const scheme of ["apiKey", "bearer"]) assert.property(document.components.securitySchemes, scheme)
  })

  it("says in one line what each operation does, and below its description what it needs", () => {
    for (const { operation } of operations) {
      const summary = operation.summary ?? ""
      assert.isAtLeast(summary.length, 8, operation.operationId)
      assert.isAtMost(summary.length, 112, operation.operationId)
      assert.notMatch(summary, /[`\n]|\.$/, operation.operationId)
      const { ways = [] } = routes.find(({ name }) => name === operation.operationId) ?? {}
      const enough = told(ways, (name) => `\`${name}\``)
      assert.isTrue(
        operation.description?.endsWith(ways.length === 0 ? "Needs no credential." : `Needs ${enough}.`),
        operation.operationId
      )
    }
  })

  it("comes in the order of a day, tasks first and maintenance last, every group at its place", () => {
    assert.deepStrictEqual(
      document.tags?.map(({ name }) => name),
      [...contents]
    )
    const groups = operations.map(({ operation }) => operation.tags?.[0] ?? "")
    assert.deepStrictEqual([...new Set(groups)], [...contents])
    assert.strictEqual(groups[0], "Tasks")
    assert.strictEqual(groups.at(-1), "Maintenance")
  })

  it("shows a body for every operation that takes one in JSON, which its schema and its route take", () => {
    for (const { method, path, payloads, name } of routes) {
      const schema = payloads.get("application/json")
      if (schema === undefined) continue
      assert.property(examples, name, `${method} ${path} has no example in src/Examples.ts`)
      const route = routes.find((one) => one.name === name)
      assert.isUndefined(route && requestBreach(route, examples[name]), name)
      assert.isTrue(Either.isRight(Schema.decodeUnknownEither(schema)(examples[name])), name)
    }
    const shown = operations.filter(({ operation }) =>
      JSON.stringify(operation.requestBody ?? {}).includes('"example":')
    )
    assert.lengthOf(shown, Object.keys(examples).length)
  })

  it("has schemas that a validator takes", () => {
    for (const name of Object.keys(document.components.schemas)) {
      assert.isFunction(ajv.getSchema(`muster#/components/schemas/${name}`), name)
    }
  })
})
