import { JSONSchema, type Schema } from "effect"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The descriptions that the generator writes for filters; the keyword beside them says the same. */
const generated = /^an? (?:string|number|array|Universally)\b/

const reference = /^#\/\$defs\/(.+)$/

/**
 * The JSON Schema of what a tool takes, from the Effect schemas of the contract. A model reads it with every request,
 * so it has no names of filters, no descriptions that repeat a keyword, and definitions stand where they are used.
 */
export const inputSchemaOf = <A, I>(schema: Schema.Schema<A, I>): Record<string, unknown> => {
  const made: unknown = JSONSchema.make(schema)
  const definitions = isJson(made) && isJson(made["$defs"]) ? made["$defs"] : {}

  const compact = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(compact)
    if (!isJson(node)) return node
    const name = typeof node["$ref"] === "string" ? reference.exec(node["$ref"])?.[1] : undefined
    if (name !== undefined) return compact({ ...node, ...Object(definitions[name]), $ref: undefined })
    return Object.fromEntries(Object.entries(node).flatMap(([key, value]) => member(key, value)))
  }

  const member = (key: string, value: unknown): ReadonlyArray<readonly [string, unknown]> => {
    switch (key) {
      case "$schema":
      case "$id":
      case "$ref":
      case "$defs":
      case "title":
        return []
      case "description":
        return typeof value === "string" && generated.test(value) ? [] : [[key, value]]
      case "required":
        return Array.isArray(value) && value.length === 0 ? [] : [[key, value]]
      case "properties":
        return isJson(value)
          ? [[key, Object.fromEntries(Object.entries(value).map(([name, node]) => [name, compact(node)]))]]
          : []
      default:
        return [[key, compact(value)]]
    }
  }

  return { ...Object(compact(made)) }
}
