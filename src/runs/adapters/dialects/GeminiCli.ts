import { Predicate } from "effect"
import type { Fact } from "../facts/Fact.ts"
import { type JsonObject, objectOf } from "../facts/StructuredLine.ts"
import { countOf, type Usage } from "../facts/Usage.ts"
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

/**
 * The cached part of the input is counted in the input. Thoughts are billed as output, and stand in the total alone.
 */
const usageOf = (stats: JsonObject): Usage => {
  const input = countOf(stats["input_tokens"])
  const cached = Math.min(countOf(stats["cached"]), input)
  return {
    inputTokens: input - cached,
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
    outputTokens: Math.max(countOf(stats["output_tokens"]), countOf(stats["total_tokens"]) - input)
  }
}

const used = (stats: JsonObject): ReadonlyArray<Fact> => {
  const models = Object.entries(objectOf(stats["models"]))
  return models.length > 0
    ? models.flatMap(([model, one]) => tokens({ ...usageOf(objectOf(one)), model }))
    : tokens(usageOf(stats))
}

/** What is kept of the last answer, which comes in pieces. */
const longestAnswer = 32_768

const reader = (): LineReader => {
  let answer = ""
  return {
    read: (line) => {
      const { content, delta, error, role, status } = line
      switch (line.type) {
        case "init":
          return typeof line["session_id"] === "string" ? asItCame(line) : undefined
        case "message":
          if (typeof content !== "string") return undefined
          // The prompt comes back.
          if (role === "user") return []
          answer = delta === true ? `${answer}${content}`.slice(0, longestAnswer) : content
          return [message(content, delta === true)]
        case "tool_use":
          answer = ""
          return [toolCall(textOf(line["tool_id"]), textOf(line["tool_name"]), line["parameters"])]
        case "tool_result": {
          const id = line["tool_id"]
          if (typeof id !== "string") return undefined
          const told = line["output"] ?? objectOf(error)["message"]
          return [toolResult(id, told, status === "error")]
        }
        case "error":
          return asItCame(line)
        case "result":
          if (!Predicate.isRecord(line["stats"]) && !Predicate.isRecord(error)) return undefined
          return [
            ...used(objectOf(line["stats"])),
            status === "error"
              ? result("failed", textOf(objectOf(error)["message"]))
              : result("success", answer)
          ]
        default:
          return undefined
      }
    },
    end: () => []
  }
}

/** Gemini CLI, asked once: `gemini --output-format stream-json`, with the prompt on its standard input. */
export const geminiCli: Dialect = {
  profile: "gemini",
  args: (configured = [], model) =>
    has(configured, "--experimental-acp", "--acp")
      ? configured
      : withOption(
          withOption(configured, ["--output-format", "-o"], "stream-json"),
          ["--model", "-m"],
          model
        ),
  reader
}
