import { Schema } from "effect"
import { Permission, Role } from "../../kernel/Permission.ts"
import { Event } from "../../storage/events/Event.ts"
import { ClientMode } from "./Device.ts"

const session = { deviceSessionId: Schema.String, membershipId: Schema.String, role: Role }

export class PairingCodeCreated extends Event("pairing-code.created", "device", {
  membershipId: Schema.String,
  clientMode: ClientMode,
  role: Role,
  scopes: Schema.Array(Permission)
}) {}

/** The address that the attempt came from; the stream is "unknown" when the payload names no device. */
export class PairingFailed extends Event("device.pairing.failed", "device", {
  address: Schema.String
}) {}

export class DevicePaired extends Event("device.paired", "device", session) {}

export class DeviceRevoked extends Event("device.revoked", "device", session) {}
