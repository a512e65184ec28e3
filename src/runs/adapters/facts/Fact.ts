/**
 * Something that an agent said or did, free of secrets. `kind` is the type of a structured line; `output` stands for any
 * other line, with `{stream, text}`. `redaction` says what was taken out of it, and is absent when nothing was.
 */
export interface Fact {
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly redaction?: {
    /** Where secrets stood, as paths into the payload. */
    readonly fields: ReadonlyArray<string>
    /** The size of the payload before, as JSON in UTF-8. */
    readonly originalBytes: number
  }
}
