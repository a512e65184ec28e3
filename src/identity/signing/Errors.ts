import { Schema } from "effect"

/** The signing secret stands in the environment, so the server can't make another one. */
export class SecretConfigured extends Schema.TaggedError<SecretConfigured>()("SecretConfigured", {}) {}
