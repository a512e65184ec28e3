import type { StandardSchemaWithJSON, ToolAnnotations } from "@modelcontextprotocol/server"
import { type Effect, Either, ParseResult, Schema } from "effect"
import type { Client } from "../client/Client.ts"
import type { Failure } from "../client/Failure.ts"
import { issuesOf } from "../kernel/Issues.ts"
import { maxDepth } from "../kernel/Json.ts"
import { strict } from "../kernel/Text.ts"
import { inputSchemaOf } from "./InputSchema.ts"

/** A call that is ready to run. It gives the text that the model reads. */
export type Call = Effect.Effect<string, Failure, Client>

/** A tool of the board. What its input decodes to is the call itself, so nothing else can be done with it. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly annotations: ToolAnnotations
  readonly input: StandardSchemaWithJSON<unknown, Call>
}

/** What a tool does to the board; by it a client decides when to ask a person first. */
type Kind = "reads" | "adds" | "sets" | "overwrites" | "removes"

const hints: Readonly<Record<Kind, ToolAnnotations>> = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  sets: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  overwrites: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  removes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false }
}

/** Makes a tool. Unknown arguments are faults: a model that misspells one is told, instead of being misunderstood. */
export const tool = <A, I>(definition: {
  readonly name: string
  readonly kind: Kind
  readonly description: string
  readonly input: Schema.Schema<A, I>
  readonly run: (input: A) => Call
}): Tool => {
  const decode = Schema.decodeUnknownEither(definition.input, strict.parseOptions)
  const json = inputSchemaOf(definition.input)
  return {
    name: definition.name,
    description: definition.description,
    annotations: { ...hints[definition.kind], openWorldHint: false },
    input: {
      "~standard": {
        version: 1,
        vendor: "muster",
        jsonSchema: { input: () => json, output: () => json },
        validate: (value) => {
          if (isTooDeep(value)) return { issues: [{ message: `They nest deeper than ${maxDepth} levels` }] }
          return Either.match(decode(value), {
            onLeft: (error) => ({
              issues: issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error)).map(({ message, path }) =>
                path === "" ? { message } : { message, path: [path] }
              )
            }),
            onRight: (input) => ({ value: definition.run(input) })
          })
        }
      }
    }
  }
}

/** Measures nesting level by level: a decoder goes down a bomb of brackets until its stack is full. */
const isTooDeep = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap((node) => (typeof node === "object" && node !== null ? Object.values(node) : []))
    if (level.length === 0) return false
  }
  return true
}
