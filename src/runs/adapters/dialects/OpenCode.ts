import { Predicate } from "effect"
import type { Fact } from "../facts/Fact.ts"
import { type JsonObject, objectOf } from "../facts/StructuredLine.ts"
import { costOf, countOf, type Usage } from "../facts/Usage.ts"
import {
  asItCame,
  type Dialect,
  type LineReader,
  message,
  result,
  textOf,
  tokens,
  toolCall,
  toolResult,
  withOption
} from "./Dialect.ts"

/**
 * Input and caches don't overlap. Reasoning stands beside the output in versions that tell a total, which then shows
 * whether it is part of the output; without one it is taken for a part, as most providers count it.
 */
const usageOf = (part: JsonObject): Usage => {
  const used = objectOf(part["tokens"])
  const cache = objectOf(used["cache"])
  const inputTokens = countOf(used["input"])
  const cacheReadTokens = countOf(cache["read"])
  const cacheWriteTokens = countOf(cache["write"])
  const output = countOf(used["output"])
  const reasoning = countOf(used["reasoning"])
  const total = countOf(used["total"])
  const beside = total - inputTokens - cacheReadTokens - cacheWriteTokens === output + reasoning
  return {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: beside || reasoning > output ? output + reasoning : output,
    ...costOf(part["cost"])
  }
}

const toolUsed = (part: JsonObject): ReadonlyArray<Fact> => {
  const id = textOf(part["callID"])
  const state = objectOf(part["state"])
  const failed = state["status"] === "error"
  return [
    toolCall(id, textOf(part["tool"]), state["input"]),
    toolResult(id, failed ? state["error"] : state["output"], failed)
  ]
}

const errorOf = (line: JsonObject): string => {
  const error = objectOf(line["error"])
  return textOf(objectOf(error["data"])["message"]) || textOf(error["message"]) || textOf(error["name"])
}

const reader = (): LineReader => {
  let last = ""
  return {
    read: (line) => {
      const { part } = line
      if (line.type === "error" && Predicate.isRecord(line["error"]))
        return [...asItCame(line), result("failed", errorOf(line))]
      if (!Predicate.isRecord(part)) return undefined
      switch (line.type) {
        case "text":
          last = textOf(part["text"])
          return [message(last)]
        case "reasoning":
          return [{ kind: "thinking", payload: { text: textOf(part["text"]) } }]
        case "tool_use":
          return toolUsed(part)
        case "step_start":
          return asItCame(line)
        case "step_finish":
          return [...tokens(usageOf(part)), ...(part["reason"] === "stop" ? [result("success", last)] : [])]
        default:
          return undefined
      }
    },
    end: () => []
  }
}

/** opencode, asked once: `opencode run --format json`, with the prompt on its standard input. */
export const openCode: Dialect = {
  profile: "opencode",
  args: (configured = [], model) => {
    const args = configured.length === 0 ? ["run"] : configured
    if (!args.includes("run")) return args
    return withOption(withOption(args, ["--format"], "json"), ["--model", "-m"], model)
  },
  reader
}
