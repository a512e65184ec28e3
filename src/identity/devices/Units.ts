import type { RevocationEffects } from "../revocations/Application.ts"
import * as DeviceRepo from "./DeviceRepo.ts"

/** A device that was revoked stays out, and a code that was redeemed is spent, on a board that does not know of it. */
export const revocationEffects = {
  device: ({ at, subject }) => DeviceRepo.revoke(subject, at),
  "pairing-code": ({ at, subject }) => DeviceRepo.spendPairing(subject, at)
} satisfies Partial<RevocationEffects>
