import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { openApi } from "../../src/http/ContractDocument.ts"
import type { Route } from "./Contract.ts"

/** The generated OpenAPI document. */
export const document = openApi()

/** A validator that knows the document as `muster`. */
export const ajv = formats.default(
  new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
)
ajv.addVocabulary(["openapi", "info", "paths", "components", "security", "tags", "servers"])
ajv.addSchema(document, "muster")

/** A place in the document as a reference to it. */
const pointer = (place: ReadonlyArray<string>): string =>
  `muster#/${place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`

/** How a value breaks the schema at a place in the document; undefined when it fits. Nothing needs no schema. */
const breachAt = (place: ReadonlyArray<string>, value: unknown): string | undefined => {
  const validate = ajv.getSchema(pointer(place))
  if (validate === undefined) return value === "" ? undefined : "the docs know nothing of it"
  return validate(value) === true ? undefined : ajv.errorsText(validate.errors)
}

const operationOf = ({ method, path }: Route): ReadonlyArray<string> => [
  "paths",
  path.replace(/^\/api(?=\/)/, "").replace(/:(\w+)/g, "{$1}"),
  method.toLowerCase()
]

const json = ["content", "application/json", "schema"]

/** How a body breaks what the document says of a route's request. */
export const requestBreach = (route: Route, body: unknown): string | undefined =>
  breachAt([...operationOf(route), "requestBody", ...json], body)

/** How a body breaks what the document says of a route's answers. */
export const answerBreach = (route: Route, status: number, body: unknown): string | undefined =>
  breachAt([...operationOf(route), "responses", String(status), ...json], body)

/** True when the document has a media type for one of a route's answers. */
export const isDocumented = (route: Route, status: number, mediaType: string): boolean =>
  ajv.getSchema(
    pointer([...operationOf(route), "responses", String(status), "content", mediaType, "schema"])
  ) !== undefined
