import { createHash } from "node:crypto"
import { Data, Effect, Redacted } from "effect"
import type { Tag } from "./NostrEvent.ts"
import { isHex64 } from "./Shape.ts"

/** The attestation can't be used. Its parts are never shown. */
export class AttestationRefused extends Data.TaggedError("AttestationRefused")<{
  readonly reason: "malformed" | "malformed-conditions" | "attests-itself" | "other-agent-or-signature"
}> {}

/** The word of an owner that an agent's key is theirs (NIP-OA). */
export interface OwnerAttestation {
  readonly owner: string
  /** The tag as it goes into signed events. */
  readonly tag: Redacted.Redacted<Tag>
  /** Whether it is valid at a time, in seconds since the epoch. */
  readonly holdsAt: (seconds: number) => boolean
}

const longest = 1_024

const clause = /^(?:(kind)=(\d{1,5})|(created_at)([<>])(\d{1,10}))$/

interface Clause {
  readonly field: "kind" | "created_at"
  readonly sign: "=" | "<" | ">"
  readonly value: number
}

const isCanonical = (digits: string, most: number): boolean =>
  String(Number(digits)) === digits && Number(digits) <= most

const clausesOf = (conditions: string): ReadonlyArray<Clause> | undefined => {
  if (conditions === "") return []
  const clauses: Array<Clause> = []
  for (const part of conditions.split("&")) {
    const [, kind, kindValue, , sign, time] = clause.exec(part) ?? []
    if (kind !== undefined && kindValue !== undefined && isCanonical(kindValue, 65_535))
      clauses.push({ field: "kind", sign: "=", value: Number(kindValue) })
    else if ((sign === "<" || sign === ">") && time !== undefined && isCanonical(time, 4_294_967_295))
      clauses.push({ field: "created_at", sign, value: Number(time) })
    else return undefined
  }
  return clauses
}

/** The digest that an owner signs. */
export const attestationDigest = (agent: string, conditions: string): Uint8Array =>
  createHash("sha256").update(`nostr:agent-auth:${agent}:${conditions}`).digest()

/**
 * Checks an attestation here, before a relay refuses it: its form, that it speaks for this agent's key, and its
 * signature. Whether it is valid at the moment is another question: `holdsAt` answers it.
 */
export const attestationOf = (
  secret: Redacted.Redacted,
  agent: string
): Effect.Effect<OwnerAttestation, AttestationRefused> =>
  Effect.gen(function* () {
    const text = Redacted.value(secret).trim()
    const [name, owner, conditions, sig, ...more] = text.length > longest ? [] : itemsOf(text)
    if (
      name !== "auth" ||
      !isHex64(owner) ||
      conditions === undefined ||
      sig === undefined ||
      !/^[0-9a-f]{128}$/.test(sig) ||
      more.length > 0
    )
      return yield* new AttestationRefused({ reason: "malformed" })
    const clauses = clausesOf(conditions)
    if (clauses === undefined) return yield* new AttestationRefused({ reason: "malformed-conditions" })
    if (owner === agent) return yield* new AttestationRefused({ reason: "attests-itself" })
    if (!(yield* verifies(sig, attestationDigest(agent, conditions), owner)))
      return yield* new AttestationRefused({ reason: "other-agent-or-signature" })
    return {
      owner,
      tag: Redacted.make([name, owner, conditions, sig]),
      holdsAt: (seconds) =>
        clauses.every(
          ({ field, sign, value }) => field === "kind" || (sign === "<" ? seconds < value : seconds > value)
        )
    }
  })

const itemsOf = (text: string): ReadonlyArray<string> => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.every((item) => typeof item === "string") ? parsed : []
  } catch {
    return []
  }
}

/** BIP-340 over a message of 32 bytes. What is no signature or no key does not verify. */
export const verifies = (signature: string, message: Uint8Array, publicKey: string): Effect.Effect<boolean> =>
  Effect.map(
    Effect.promise(() => import("@noble/curves/secp256k1.js")),
    ({ schnorr }) => {
      try {
        return schnorr.verify(Buffer.from(signature, "hex"), message, Buffer.from(publicKey, "hex"))
      } catch {
        return false
      }
    }
  )
