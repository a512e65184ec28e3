import { Predicate } from "effect"
import type { Fact } from "../facts/Fact.ts"
import { type JsonObject, objectOf } from "../facts/StructuredLine.ts"
import { countOf, isLess, minus, noUsage, type Usage } from "../facts/Usage.ts"
import {
  asItCame,
  type Dialect,
  has,
  type LineReader,
  message,
  result,
  textOf,
  tokens,
  toolCall,
  toolResult,
  withOption
} from "./Dialect.ts"

/** The cached part of the input is counted in the input, and reasoning in the output. */
const usageOf = (usage: JsonObject): Usage => {
  const input = countOf(usage["input_tokens"])
  const cached = Math.min(countOf(usage["cached_input_tokens"]), input)
  return {
    inputTokens: input - cached,
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
    outputTokens: countOf(usage["output_tokens"])
  }
}

/** What an item that is a tool was called with, and what it gave; undefined for an item that is none. */
const toolOf = (
  item: JsonObject
): { readonly name: string; readonly input: unknown; readonly output: unknown } | undefined => {
  switch (item["type"]) {
    case "command_execution":
      return {
        name: "shell",
        input: { command: item["command"] },
        output: { text: item["aggregated_output"], exitCode: item["exit_code"] ?? null }
      }
    case "file_change":
      return { name: "apply_patch", input: { changes: item["changes"] }, output: { status: item["status"] } }
    case "mcp_tool_call":
      return {
        name: `${textOf(item["server"])}.${textOf(item["tool"])}`,
        input: item["arguments"],
        output: item["error"] ?? item["result"]
      }
    case "web_search":
      return { name: "web_search", input: { query: item["query"] }, output: "" }
    default:
      return undefined
  }
}

const hasFailed = (item: JsonObject): boolean => item["status"] === "failed" || item["status"] === "declined"

const reader = (): LineReader => {
  const begun = new Set<string>()
  let counted = noUsage
  let last = ""

  const itemEnded = (item: JsonObject): ReadonlyArray<Fact> => {
    const id = textOf(item["id"])
    const tool = toolOf(item)
    if (tool !== undefined) {
      const call = begun.delete(id) ? [] : [toolCall(id, tool.name, tool.input)]
      return [...call, toolResult(id, tool.output, hasFailed(item))]
    }
    const { id: _, type, ...rest } = item
    if (type !== "agent_message") return [{ kind: textOf(type) || "item", payload: rest }]
    last = textOf(item["text"])
    return [message(last)]
  }

  const itemBegan = (item: JsonObject): ReadonlyArray<Fact> => {
    const id = textOf(item["id"])
    const tool = toolOf(item)
    if (tool === undefined) return []
    begun.add(id)
    return [toolCall(id, tool.name, tool.input)]
  }

  /** What was used since it was told last: the counts are those of the whole thread. */
  const used = (line: JsonObject): ReadonlyArray<Fact> => {
    if (!Predicate.isRecord(line["usage"])) return []
    const now = usageOf(line["usage"])
    const since = isLess(now, counted) ? now : minus(now, counted)
    counted = now
    return tokens(since)
  }

  return {
    read: (line) => {
      const item = objectOf(line["item"])
      switch (line.type) {
        case "item.started":
          return itemBegan(item)
        case "item.completed":
          return itemEnded(item)
        case "turn.completed":
          return [...used(line), result("success", last)]
        case "turn.failed":
          return [...used(line), result("failed", textOf(objectOf(line["error"])["message"]))]
        case "item.updated":
        case "thread.started":
        case "turn.started":
          return asItCame(line)
        default:
          return undefined
      }
    },
    end: () => []
  }
}

/** Codex, asked once: `codex exec --json`, with the prompt on its standard input. */
export const codex: Dialect = {
  profile: "codex",
  args: (configured = [], model) => {
    const args = configured.length === 0 ? ["exec"] : configured
    if (!args.some((arg) => arg === "exec" || arg === "e")) return args
    const json = has(args, "--json", "--experimental-json") ? args : [...args, "--json"]
    return withOption(json, ["--model", "-m"], model)
  },
  reader
}
