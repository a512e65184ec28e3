import { sha256 } from "../../kernel/Digest.ts"

/** How many equal calls in a row are a repetition (ruling 33). */
export const repetitionLimit = 5

/** The calls of tools of a run: how many of the last ones were equal, and how many there were in all. */
export interface Streak {
  readonly toolName: string
  readonly inputHash: string
  readonly calls: number
  readonly callsInAll: number
}

/** A fact that may be the call of a tool. */
interface Said {
  readonly kind: string
  readonly payload: unknown
}

const isCall = (payload: unknown): payload is { readonly name: string; readonly input?: unknown } =>
  typeof payload === "object" && payload !== null && "name" in payload && typeof payload.name === "string"

/** The streak after a fact. What is no call of a tool leaves it as it is: results stand between calls. */
export const advance = (streak: Streak | undefined, { kind, payload }: Said): Streak | undefined => {
  if (kind !== "tool_call" || !isCall(payload)) return streak
  const { input = null, name: toolName } = payload
  const inputHash = `sha256:${sha256(JSON.stringify(input))}`
  const isEqual = streak?.toolName === toolName && streak.inputHash === inputHash
  return {
    toolName,
    inputHash,
    calls: isEqual ? streak.calls + 1 : 1,
    callsInAll: (streak?.callsInAll ?? 0) + 1
  }
}

/** Whether a streak has become a repetition with its last call: one that goes on is the same one. */
export const isRepetition = ({ calls }: Streak): boolean => calls === repetitionLimit
