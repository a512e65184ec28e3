import { Schema } from "effect"
import { kept } from "../../kernel/Incoming.ts"

/** 64 digits of hex, in small letters from here on. */
export const hex64 = (what: string) =>
  Schema.transform(
    Schema.String.pipe(
      Schema.pattern(/^[0-9a-fA-F]{64}$/, { message: () => `Expected ${what}: 64 digits of hex` })
    ),
    Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
    { strict: true, decode: (text) => text.toLowerCase(), encode: (text) => text }
  )
    .annotations({ jsonSchema: { type: "string", pattern: "^[0-9a-fA-F]{64}$" } })
    .pipe(kept("It is a public key, or the digest of what a preview showed."))
