import type { Reader } from "./Stream.ts"

/** Which events of a run somebody wants: those of an attempt, from behind a sequence. */
export interface Followed {
  readonly taskId: string
  readonly attemptId: string
  readonly afterSequence: number
}

/** The sequence of an event of a run. */
const sequenceIn = (data: unknown): number | undefined =>
  typeof data === "object" && data !== null && "sequence" in data && typeof data.sequence === "number"
    ? data.sequence
    : undefined

/**
 * Whoever follows a run: the events of its attempt, and what becomes of its task meanwhile. A connection that is made
 * again asks for what comes after the last of each.
 */
export const attemptReader =
  ({ afterSequence, attemptId, taskId }: Followed) =>
  (): Reader => {
    let cursor = afterSequence
    let taskCursor: number | undefined
    const ask = () => ({
      type: "subscribe",
      taskId,
      attemptId,
      afterSequence: cursor,
      ...(taskCursor === undefined ? {} : { afterTaskSequence: taskCursor })
    })
    return {
      query: () => "",
      asks: () => [ask()],
      note: ({ body, sequence, type }) => {
        if (type === "agent:event") cursor = sequenceIn(body["data"]) ?? cursor
        if (type === "subscribed" && typeof body["taskCursor"] === "number") taskCursor ??= body["taskCursor"]
        if (type === "task:event" && body["taskId"] === taskId) {
          taskCursor = Math.max(taskCursor ?? 0, sequence ?? 0)
        }
      }
    }
  }
