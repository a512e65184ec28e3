import type { Fact } from "../facts/Fact.ts"
import type { JsonObject } from "../facts/StructuredLine.ts"
import { isNothing, isUsage, tokensPayload, type Usage } from "../facts/Usage.ts"

/**
 * How a well-known program that runs once for a prompt is called, and what its lines mean. It is data and pure rules: the
 * command adapter does everything else.
 */
export interface Dialect {
  /** The profile of the agent (`KnownAgents`, which also knows its program). */
  readonly profile: string
  /** Its arguments: those that were configured, and what it lacks to read a prompt and to write lines that are known. */
  readonly args: (
    configured: ReadonlyArray<string> | undefined,
    model: string | undefined
  ) => ReadonlyArray<string>
  /** A reader for the lines of one run: it remembers what it has counted. */
  readonly reader: () => LineReader
}

/** Reads the structured lines of one run. */
export interface LineReader {
  /** What a line says; undefined for one that the dialect does not know, which is read as any other agent's. */
  readonly read: (line: JsonObject & { readonly type: string }) => ReadonlyArray<Fact> | undefined
  /** What is still to be said when nothing more comes: tokens that were used and not told yet. */
  readonly end: () => ReadonlyArray<Fact>
}

export const message = (text: string, delta = false): Fact => ({
  kind: "message",
  payload: { text, ...(delta ? { delta: true } : {}) }
})

export const toolCall = (id: string, name: string, input: unknown): Fact => ({
  kind: "tool_call",
  payload: { id, name, input: input ?? {} }
})

export const toolResult = (id: string, result: unknown, failed: boolean): Fact => ({
  kind: "tool_result",
  payload: { id, output: result ?? "", ...(failed ? { isError: true } : {}) }
})

/** Tokens, when there are any. They count whatever their model is called: a name that no report may have is left out. */
export const tokens = (usage: Usage): ReadonlyArray<Fact> => {
  if (isNothing(usage)) return []
  const payload = tokensPayload(usage)
  if (isUsage(payload)) return [{ kind: "tokens", payload }]
  const { model: _, ...unnamed } = payload
  return [{ kind: "tokens", payload: unnamed }]
}

/** The longest summary that is made of what an agent said last. */
const longestSummary = 32_768

export const result = (status: "success" | "failed", summary: string): Fact => ({
  kind: "result",
  payload: { status, ...(summary === "" ? {} : { summary: summary.slice(0, longestSummary).toWellFormed() }) }
})

/** A line of the dialect that stands for nothing else here. */
export const asItCame = ({
  type,
  ...payload
}: JsonObject & { readonly type: string }): ReadonlyArray<Fact> => [{ kind: type, payload }]

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** Whether one of the spellings of an option is among the arguments, by itself or with its value. */
export const has = (args: ReadonlyArray<string>, ...names: ReadonlyArray<string>): boolean =>
  args.some((arg) => names.some((name) => arg === name || arg.startsWith(`${name}=`)))

/** The arguments with an option and its value, unless one of its spellings is there already. */
export const withOption = (
  args: ReadonlyArray<string>,
  names: readonly [string, ...ReadonlyArray<string>],
  value: string | undefined
): ReadonlyArray<string> => (value === undefined || has(args, ...names) ? args : [...args, names[0], value])
