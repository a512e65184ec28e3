import { Predicate } from "effect"
import type { Fact } from "../facts/Fact.ts"
import { type JsonObject, objectOf } from "../facts/StructuredLine.ts"
import { costOf, countOf, isNothing, minus, noUsage, plus, type Usage } from "../facts/Usage.ts"
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

/** The usage of one answer. The three kinds of input don't overlap. */
const usageOf = (usage: JsonObject): Usage => ({
  inputTokens: countOf(usage["input_tokens"]),
  cacheReadTokens: countOf(usage["cache_read_input_tokens"]),
  cacheWriteTokens: countOf(usage["cache_creation_input_tokens"]),
  outputTokens: countOf(usage["output_tokens"])
})

/** The usage of a model in the whole run, as the last line sums it up. */
const modelUsageOf = (usage: JsonObject): Usage => ({
  inputTokens: countOf(usage["inputTokens"]),
  cacheReadTokens: countOf(usage["cacheReadInputTokens"]),
  cacheWriteTokens: countOf(usage["cacheCreationInputTokens"]),
  outputTokens: countOf(usage["outputTokens"]),
  ...costOf(usage["costUSD"])
})

/** `claude-sonnet-4-5[1m]` is the model, with a longer window. */
const modelName = (name: string): string => name.replace(/\[[^\]]*\]$/, "")

const blocksOf = (line: JsonObject): ReadonlyArray<JsonObject> => {
  const content = objectOf(line["message"])["content"]
  return Array.isArray(content) ? content.filter(Predicate.isRecord) : []
}

const said = (line: JsonObject & { readonly type: string }): ReadonlyArray<Fact> => {
  const facts = blocksOf(line).flatMap((block): ReadonlyArray<Fact> => {
    switch (block["type"]) {
      case "text":
        return [message(textOf(block["text"]))]
      case "thinking":
        return [{ kind: "thinking", payload: { text: textOf(block["thinking"]) } }]
      case "tool_use":
        return [toolCall(textOf(block["id"]), textOf(block["name"]), block["input"])]
      default:
        return []
    }
  })
  return facts.length > 0 ? facts : asItCame(line)
}

const heard = (line: JsonObject & { readonly type: string }): ReadonlyArray<Fact> => {
  const facts = blocksOf(line)
    .filter((block) => block["type"] === "tool_result")
    .map((block) => toolResult(textOf(block["tool_use_id"]), block["content"], block["is_error"] === true))
  return facts.length > 0 ? facts : asItCame(line)
}

/**
 * Counts each answer once: its lines repeat the same id with counts that grow, so it is told when the next answer begins.
 * The last line sums up the run, with what no answer showed (other models, the end of an output), and the rest is told
 * then. A run without a last line has told what was seen.
 */
const meter = () => {
  const told = new Map<string, Usage>()
  let current: { readonly id: string; readonly model: string; readonly usage: Usage } | undefined

  const close = (): ReadonlyArray<Fact> => {
    if (current === undefined) return []
    const { model, usage } = current
    current = undefined
    told.set(model, plus(told.get(model) ?? noUsage, usage))
    return tokens({ ...usage, ...(model === "" ? {} : { model }) })
  }

  return {
    close,
    answer: (line: JsonObject): ReadonlyArray<Fact> => {
      const { id, model, usage } = objectOf(line["message"])
      // A placeholder of the program's own was never asked of a model.
      if (typeof id !== "string" || !Predicate.isRecord(usage) || model === "<synthetic>") return []
      const before = current?.id === id ? [] : close()
      const now = usageOf(usage)
      const seen = current?.usage ?? noUsage
      current = { id, model: modelName(textOf(model)), usage: plus(seen, minus(now, seen)) }
      return before
    },
    sumUp: (line: JsonObject): ReadonlyArray<Fact> => {
      const before = close()
      const models = Object.entries(objectOf(line["modelUsage"])).map(
        ([name, usage]) => [modelName(name), modelUsageOf(objectOf(usage))] as const
      )
      const names = new Set(models.map(([name]) => name))
      const isKnown = models.length > 0 && [...told.keys()].every((model) => names.has(model))
      if (isKnown) {
        const rest = models.flatMap(([model, usage]) =>
          tokens({ ...minus(usage, told.get(model) ?? noUsage), model })
        )
        for (const [model, usage] of models) told.set(model, usage)
        return [...before, ...rest]
      }
      // Other names than those of the answers: only the sums can be compared.
      const all = models.reduce((sum, [, usage]) => plus(sum, usage), noUsage)
      const total = isNothing(all) ? usageOf(objectOf(line["usage"])) : all
      const seen = [...told.values()].reduce(plus, noUsage)
      const rest = { ...minus(total, seen), ...costOf(line["total_cost_usd"]) }
      told.set("", plus(told.get("") ?? noUsage, minus(total, seen)))
      return [...before, ...tokens(rest)]
    }
  }
}

const outcome = (line: JsonObject): Fact => {
  const summary = textOf(line["result"])
  if (line["subtype"] === "success" && line["is_error"] !== true) return result("success", summary)
  const errors = Array.isArray(line["errors"]) ? line["errors"].map(textOf).join("\n") : ""
  return result("failed", summary || errors || textOf(line["subtype"]))
}

const reader = (): LineReader => {
  const usage = meter()
  return {
    read: (line) => {
      switch (line.type) {
        case "system":
        case "stream_event":
        case "rate_limit_event":
          return asItCame(line)
        case "assistant":
          return [...usage.answer(line), ...said(line)]
        case "user":
          return heard(line)
        case "result":
          return typeof line["subtype"] === "string" ? [...usage.sumUp(line), outcome(line)] : undefined
        default:
          return undefined
      }
    },
    end: usage.close
  }
}

/** Claude Code, asked once: `claude -p --output-format stream-json --verbose`. */
export const claudeCode: Dialect = {
  profile: "claude-code",
  args: (configured = [], model) => {
    const printing = has(configured, "-p", "--print") ? configured : ["-p", ...configured]
    const streaming = withOption(printing, ["--output-format"], "stream-json")
    const isStream = streaming !== printing || printing.some((arg) => arg.endsWith("stream-json"))
    const verbose = isStream && !has(streaming, "--verbose") ? [...streaming, "--verbose"] : streaming
    return withOption(verbose, ["--model"], model)
  },
  reader
}
