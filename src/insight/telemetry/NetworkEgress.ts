import { type Effect, type ParseResult, Schema } from "effect"
import { sha256 } from "../../kernel/Digest.ts"
import { integer, strict } from "../../kernel/Text.ts"

/** A key that names a run, a gateway or an approval: no slash, colon or question mark, so that no URL fits in. */
const Key = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9._-]{1,128}$/))

/** `sha256:` and 64 hex digits. */
const Digest = Schema.String.pipe(Schema.pattern(/^sha256:[0-9a-f]{64}$/))

/**
 * An attempt of a run to reach the network (spec 1-core, Telemetry; decision Q74). The fields are an allow-list and
 * none of them is free text: URLs, queries, headers and bodies can't slip in, and the host is known by its hash alone.
 */
export const NetworkEgress = Schema.Struct({
  type: Schema.Literal("network.egress"),
  taskId: Key,
  runKey: Key,
  gatewayKey: Key,
  policyDigest: Digest,
  hostKey: Digest,
  protocol: Schema.Literal("http", "https", "ws", "wss", "tcp"),
  port: integer(1, 65_535),
  decision: Schema.Literal("allow", "deny"),
  reason: Schema.String.pipe(Schema.pattern(/^[a-z][a-z0-9-]{0,63}$/)).annotations({
    description: "The code of the rule that decided, e.g. `host-not-allowed`"
  }),
  approvalId: Schema.optionalWith(Key, { exact: true })
}).annotations({ identifier: "NetworkEgress", ...strict })
export type NetworkEgress = typeof NetworkEgress.Type

/** The key of a host: its SHA-256, whatever its case and with or without the dot at its end. */
export const hostKeyOf = (host: string): string => `sha256:${sha256(host.toLowerCase().replace(/\.$/, ""))}`

/** What a gateway knows of an attempt: the host in the clear, everything else as the event carries it. */
export interface EgressAttempt extends Omit<NetworkEgress, "type" | "hostKey"> {
  readonly host: string
}

const decode = Schema.decodeUnknown(NetworkEgress)

/** Builds the event of an attempt. Anything that is not on the allow-list, or not in its form, fails. */
export const networkEgress = ({
  host,
  ...attempt
}: EgressAttempt): Effect.Effect<NetworkEgress, ParseResult.ParseError> =>
  decode({ ...attempt, type: "network.egress", hostKey: hostKeyOf(host) })
