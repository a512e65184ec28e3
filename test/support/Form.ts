/**
 * How much is tried of what takes long. PROOFS says it: `full` tries all there is and takes hours (`npm run attack`),
 * `middle` takes minutes (`npm run proofs`), and without it a part of each kind shows within seconds that nothing broke.
 */
const wanted = process.env["PROOFS"]

/** Whether all is tried. */
export const isFull = wanted === "full"

/** Whether more is tried than in the ordinary run. */
export const isLong = isFull || wanted === "middle"

/** What fits the form that was chosen. */
export const byForm = <A>(forms: { readonly short: A; readonly middle: A; readonly full: A }): A =>
  isFull ? forms.full : isLong ? forms.middle : forms.short
