/** How long a run may be silent, in milliseconds (ruling 33). */
export const silenceMs = 600_000

/** A run, the newest event that it has told of, and when it was heard last, in milliseconds since the epoch. */
export interface Heard {
  readonly taskId: string
  readonly attemptId: string
  readonly lastSequence: number
  readonly heardAt: number
}

/** Whether a run has been silent for too long at a moment. */
export const isSilent = ({ heardAt }: Heard, at: number): boolean => at - heardAt >= silenceMs

/**
 * Before when nobody can become silent, as far as they were heard: one that is silent already has to speak first, and one
 * that starts now has as long as everybody.
 */
export const nextSilence = (runs: ReadonlyArray<Heard>, at: number): number =>
  runs.reduce(
    (next, run) => (isSilent(run, at) ? next : Math.min(next, run.heardAt + silenceMs)),
    at + silenceMs
  )
