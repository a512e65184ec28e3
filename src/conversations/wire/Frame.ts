import { jsonOf } from "./Answers.ts"

/** A frame of a relay (NIP-01, NIP-42). Frames of other kinds are ignored. */
export type Frame =
  /** Undefined for a challenge that can't be answered. */
  | { readonly _tag: "Challenge"; readonly challenge: string | undefined }
  /** Undefined when the answer is neither yes nor no. */
  | {
      readonly _tag: "Ok"
      readonly id: string
      readonly accepted: boolean | undefined
      readonly text: string
    }
  | { readonly _tag: "Event"; readonly subscription: string; readonly event: unknown }
  | { readonly _tag: "EndOfStored"; readonly subscription: string }
  | { readonly _tag: "Closed"; readonly subscription: string; readonly text: string }
  | { readonly _tag: "Other" }

const other: Frame = { _tag: "Other" }

const challengeOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= 1_024 ? value : undefined

/** Reads what a relay sent. */
export const frameOf = (text: string): Frame => {
  const frame = jsonOf(text)
  if (!Array.isArray(frame)) return other
  const [verb, first, second, third]: ReadonlyArray<unknown> = frame
  if (verb === "AUTH") return { _tag: "Challenge", challenge: challengeOf(first) }
  if (typeof first !== "string") return other
  const said = (value: unknown) => (typeof value === "string" ? value : "")
  switch (verb) {
    case "OK":
      return {
        _tag: "Ok",
        id: first,
        accepted: typeof second === "boolean" ? second : undefined,
        text: said(third)
      }
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
