/**
 * What a refusal bears that leaves something behind: its unit of work is committed with all that it wrote by then, and
 * its caller is refused all the same. Whoever fails with it has written nothing else.
 */
export const leavesBehind: unique symbol = Symbol.for("muster/leavesBehind")

/** Whether a failure is such a refusal. */
export const isLeavingBehind = (failure: unknown): boolean =>
  typeof failure === "object" && failure !== null && leavesBehind in failure
