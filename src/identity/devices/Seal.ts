import { canonicalize } from "json-canonicalize"
import { type SigningKey, sign, verify } from "../keys/SigningKeys.ts"
import type { PairingPayload } from "./Device.ts"

/** What a signature covers: everything else, in canonical JSON (RFC 8785). */
const signedText = ({ signature: _, ...signed }: PairingPayload): string => canonicalize(signed)

/** The payload with its signature. */
export const seal = (
  key: SigningKey,
  content: Omit<PairingPayload, "keyId" | "signature">
): PairingPayload => {
  const unsigned = { ...content, keyId: key.id, signature: "" }
  return { ...unsigned, signature: sign(key, signedText(unsigned)) }
}

/** Whether this server signed the payload as it is. */
export const isSealed = (key: SigningKey, payload: PairingPayload): boolean =>
  verify(key, signedText(payload), payload.signature)

/** The link that brings a payload and its code to a device. A fragment never leaves the client that opens it. */
export const linkOf = (host: string, payload: PairingPayload, code: string): string =>
  `http://${host}/pair#${Buffer.from(JSON.stringify({ ...payload, code })).toString("base64url")}`
