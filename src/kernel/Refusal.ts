/**
 * Marks a refusal that leaves something behind: its unit of work is committed with what it wrote before, and the caller
 * is refused all the same. Whoever fails with it must have written nothing else.
 */
export const leavesBehind: unique symbol = Symbol.for("muster/leavesBehind")

/** Whether a failure bears the mark. */
export const isLeavingBehind = (failure: unknown): boolean =>
  typeof failure === "object" && failure !== null && leavesBehind in failure
