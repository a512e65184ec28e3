import { Event } from "../../storage/events/Event.ts"

export class OwnerSetUp extends Event("auth.setup", "auth", {}) {}

export class SetupFailed extends Event("auth.setup.failed", "auth", {}) {}

export class OwnerLoggedIn extends Event("auth.login", "auth", {}) {}

export class LoginFailed extends Event("auth.login.failed", "auth", {}) {}

export class OwnerLoggedOut extends Event("auth.logout", "auth", {}) {}

export class PasswordRecovered extends Event("auth.recovered", "auth", {}) {}

export class RecoveryFailed extends Event("auth.recovery.failed", "auth", {}) {}

export class PasswordChanged extends Event("auth.password.changed", "auth", {}) {}

export class PasswordChangeRefused extends Event("auth.password.refused", "auth", {}) {}
