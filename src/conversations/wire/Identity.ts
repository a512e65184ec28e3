import { Data, Effect, Redacted } from "effect"
import type { NostrEvent, Template } from "./NostrEvent.ts"

/** A key pair that signs. The private key never leaves it. */
export interface Identity {
  /** 64 digits of hex. */
  readonly publicKey: string
  readonly sign: (template: Template) => NostrEvent
}

/** The text is no private key. Nothing of it is told. */
export class MalformedKey extends Data.TaggedError("MalformedKey") {}

const load = async () => ({
  ...(await import("nostr-tools/pure")),
  ...(await import("nostr-tools/nip19"))
})

// Loaded when the first key is used: a board without a relay starts without it.
let loading: ReturnType<typeof load> | undefined
const library = Effect.promise(() => {
  loading ??= load()
  return loading
})

/** The identity of a private key: 64 digits of hex, or its nsec form. */
export const identityOf = (secret: Redacted.Redacted): Effect.Effect<Identity, MalformedKey> =>
  Effect.flatMap(library, ({ decode, finalizeEvent, getPublicKey }) =>
    Effect.try({
      try: (): Identity => {
        const text = Redacted.value(secret).trim()
        const bytes = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, "hex") : nsecBytes(decode(text))
        return {
          // Zero, and numbers beyond the order of the curve, are no keys: this throws.
          publicKey: getPublicKey(bytes),
          sign: (template) => {
            const { content, created_at, id, kind, pubkey, sig, tags } = finalizeEvent(
              {
                ...template,
                content: template.content.toWellFormed(),
                tags: template.tags.map((tag) => [...tag])
              },
              bytes
            )
            return { id, pubkey, created_at, kind, tags, content, sig }
          }
        }
      },
      catch: () => new MalformedKey()
    })
  )

const nsecBytes = (decoded: { readonly type: string; readonly data: unknown }): Uint8Array => {
  if (decoded.type === "nsec" && decoded.data instanceof Uint8Array) return decoded.data
  throw new Error("This is another form of key")
}
