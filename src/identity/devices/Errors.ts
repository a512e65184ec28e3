import { Schema } from "effect"

/**
 * The pairing payload or its code is not valid. The answer does not say why: that would help somebody who guesses.
 */
export class PairingRefused extends Schema.TaggedError<PairingRefused>()("PairingRefused", {}) {}

/** No device session has this id. */
export class DeviceSessionNotFound extends Schema.TaggedError<DeviceSessionNotFound>()(
  "DeviceSessionNotFound",
  { deviceSessionId: Schema.String }
) {}

/** The workspace has as many devices as it can. */
export class DeviceLimit extends Schema.TaggedError<DeviceLimit>()("DeviceLimit", { limit: Schema.Int }) {}
