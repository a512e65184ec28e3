import { jsonOf } from "./Answers.ts"

/** A frame of a relay (NIP-01, NIP-42). What is none of these is let pass. */
export type Frame =
  | { readonly _tag: "Challenge"; readonly challenge: string }
  | { readonly _tag: "Ok"; readonly id: string; readonly accepted: boolean; readonly text: string }
  | { readonly _tag: "Event"; readonly subscription: string; readonly event: unknown }
  | { readonly _tag: "EndOfStored"; readonly subscription: string }
  | { readonly _tag: "Closed"; readonly subscription: string; readonly text: string }
  | { readonly _tag: "Other" }

const other: Frame = { _tag: "Other" }

/** Reads what a relay sent. */
export const frameOf = (text: string): Frame => {
  const frame = jsonOf(text)
  if (!Array.isArray(frame)) return other
  const [verb, first, second, third]: ReadonlyArray<unknown> = frame
  if (typeof first !== "string") return other
  const said = (value: unknown) => (typeof value === "string" ? value : "")
  switch (verb) {
    case "AUTH":
      return first.length <= 1_024 ? { _tag: "Challenge", challenge: first } : other
    case "OK":
      return { _tag: "Ok", id: first, accepted: second === true, text: said(third) }
    case "EVENT":
      return { _tag: "Event", subscription: first, event: second }
    case "EOSE":
      return { _tag: "EndOfStored", subscription: first }
    case "CLOSED":
      return { _tag: "Closed", subscription: first, text: said(second) }
    default:
      return other
  }
}
