import { Data, Schema } from "effect"

/** The signing secret comes from the environment, so the server can't replace it. */
export class SecretConfigured extends Schema.TaggedError<SecretConfigured>()("SecretConfigured", {}) {}

/** The file with the signing keys is damaged. What stands in it is secret, so the message does not show it. */
export class SigningKeysUnreadable extends Data.TaggedError("SigningKeysUnreadable")<{
  readonly file: string
}> {
  override get message() {
    return `The signing keys in ${this.file} can't be read. Restore the file, or delete it: then everybody who had logged in does so again.`
  }
}
