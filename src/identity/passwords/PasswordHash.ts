import { Effect, Redacted } from "effect"

/** Argon2id in the form that OWASP recommends: 19 MiB, two passes, one lane. It runs beside the event loop. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Loaded with the first password: no start waits for it. */
const argon2 = Effect.promise(() => import("@node-rs/argon2"))

/** What is stored of a password. */
export const hashPassword = (password: Redacted.Redacted): Effect.Effect<string> =>
  Effect.flatMap(argon2, ({ hash }) => Effect.promise(() => hash(Redacted.value(password), options)))

/** Whether a password is the one behind a hash. */
export const matches = (stored: string, password: Redacted.Redacted): Effect.Effect<boolean> =>
  Effect.flatMap(argon2, ({ verify }) => Effect.promise(() => verify(stored, Redacted.value(password))))
