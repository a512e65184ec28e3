import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { redactText } from "../../kernel/Redaction.ts"

/**
 * What becomes of a field of a definition. `mapped` ones are imported, `source-only` ones stay at the source, `ignored`
 * ones are unknown here, and one `rejected` field keeps the whole definition out.
 */
export const Disposition = Schema.Literal("mapped", "source-only", "ignored", "rejected")

/** A field of a definition by its name, and why it is treated as it is. Its value is never told. */
export const Field = Schema.Struct({
  field: Schema.String,
  disposition: Disposition,
  target: optional(Schema.String).annotations({ description: "The field of the profile or the roster" }),
  reason: Schema.String
}).annotations({ identifier: "DefinitionField" })
export type Field = typeof Field.Type

/** A name of a field as it may be shown: without secrets and control characters, and short. */
export const shownName = (name: string): string =>
  redactText(name)
    .replace(/\p{Cc}+/gu, " ")
    .slice(0, 80)

const field =
  (disposition: Field["disposition"]) =>
  (name: string, reason: string): Field => ({ field: name, disposition, reason })

export const rejected = field("rejected")
export const sourceOnly = field("source-only")
export const ignored = field("ignored")

export const mapped = (name: string, target: string, reason: string): Field => ({
  field: name,
  disposition: "mapped",
  target,
  reason
})

/** What was read of a field: its value, when it has a valid one, and the lines of the report. */
export interface Read<A> {
  readonly value: A | undefined
  readonly fields: ReadonlyArray<Field>
}

/** A field that is absent, or null, says nothing. */
export const nothing: Read<never> = { value: undefined, fields: [] }

export const isRejected = ({ disposition }: Field): boolean => disposition === "rejected"
