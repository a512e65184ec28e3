import { Schema } from "effect"

/** Password logins are for the owner of this machine, on this machine. */
export class LoopbackOnly extends Schema.TaggedError<LoopbackOnly>()("LoopbackOnly", {}) {}

/** The owner has a password already. */
export class SetupDoneBefore extends Schema.TaggedError<SetupDoneBefore>()("SetupDoneBefore", {}) {}

/** The address of the owner is somebody else's already. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", {}) {}

/**
 * Nothing shows that the sender of a setup is the operator: no admin key, and no setup code or a wrong one. `codeFile`
 * is where the code lies, for whoever can read it.
 */
export class SetupUnproven extends Schema.TaggedError<SetupUnproven>()("SetupUnproven", {
  reason: Schema.Literal("missing-proof", "wrong-code"),
  codeFile: Schema.optionalWith(Schema.String, { exact: true })
}) {}

/** The owner has no password yet. */
export class SetupRequired extends Schema.TaggedError<SetupRequired>()("SetupRequired", {}) {}

/** The password, or the recovery key, is not the right one. */
export class PasswordRefused extends Schema.TaggedError<PasswordRefused>()("PasswordRefused", {
  field: Schema.Literal("password", "currentPassword", "recoveryKey")
}) {}
