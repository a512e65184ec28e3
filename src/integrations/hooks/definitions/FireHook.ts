import { Schema } from "effect"
import { secretFreeJson } from "../../../kernel/Incoming.ts"
import { strict } from "../../../kernel/Text.ts"
import { HookEvent, HookIdParam } from "./Hook.ts"

const payloadLimit = 65_536

/** The payload of a hook that is fired by hand: any JSON value, null included. */
const Payload = Schema.Unknown.pipe(
  Schema.filter((value) => value !== undefined && JSON.stringify(value).length <= payloadLimit, {
    message: () => `Expected a JSON value of at most ${payloadLimit} characters`
  }),
  secretFreeJson
)

const payload = Schema.optionalWith(Payload, { exact: true })

/** The body that fires one hook, or all hooks that wait for an event. */
export const Firing = Schema.Union(
  Schema.Struct({ hookId: HookIdParam, payload }),
  Schema.Struct({ event: HookEvent, payload })
).annotations({ identifier: "HookFiring", ...strict })
export type Firing = typeof Firing.Type

/** The deliveries that were queued. */
export const Fired = Schema.Struct({
  success: Schema.Literal(true),
  deliveries: Schema.Array(Schema.Struct({ id: Schema.String, hookId: Schema.String, event: HookEvent }))
}).annotations({ identifier: "HooksFired" })
export type Fired = typeof Fired.Type
