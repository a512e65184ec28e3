import { randomBytes } from "node:crypto"
import { Effect } from "effect"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/**
 * A new id: a prefix that names its kind and 16 letters of Crockford's base 32 (80 random bits), e.g.
 * `task_5d8v0kq2m1x7c9zr`. Short enough to type, without letters that look alike.
 */
export const newId = (prefix: string): Effect.Effect<string> =>
  Effect.sync(() => {
    let id = `${prefix}_`
    for (const byte of randomBytes(16)) id += alphabet[byte & 31]
    return id
  })
