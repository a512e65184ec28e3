import { Event } from "../../storage/Event.ts"

export class OwnerSetUp extends Event<OwnerSetUp>()("auth.setup", "auth", {}) {}

export class SetupFailed extends Event<SetupFailed>()("auth.setup.failed", "auth", {}) {}

export class OwnerLoggedIn extends Event<OwnerLoggedIn>()("auth.login", "auth", {}) {}

export class LoginFailed extends Event<LoginFailed>()("auth.login.failed", "auth", {}) {}

export class OwnerLoggedOut extends Event<OwnerLoggedOut>()("auth.logout", "auth", {}) {}

export class PasswordRecovered extends Event<PasswordRecovered>()("auth.recovered", "auth", {}) {}

export class RecoveryFailed extends Event<RecoveryFailed>()("auth.recovery.failed", "auth", {}) {}

export class PasswordChanged extends Event<PasswordChanged>()("auth.password.changed", "auth", {}) {}

export class PasswordChangeRefused extends Event<PasswordChangeRefused>()(
  "auth.password.refused",
  "auth",
  {}
) {}
