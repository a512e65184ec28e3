import { Schema } from "effect"
import { integerText } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** The most entries that one answer has. */
const mostEntries = 1_000

/** How many entries to list: 100 when it is absent; a larger number than 1,000 is taken as 1,000 (decision Q62). */
export const AuditLimit = Schema.transform(integerText(1, Number.MAX_SAFE_INTEGER), Schema.Int, {
  strict: true,
  decode: (limit) => Math.min(limit, mostEntries),
  encode: (limit) => limit
}).annotations({
  jsonSchema: { type: "integer", minimum: 1 },
  description: `How many entries to list, 100 when absent; at most ${mostEntries} come`
})

/** One link of the audit chain: who did what, and the hash of the link before it (spec 1-core, `GET /audit`). */
export const AuditEntry = Schema.Struct({
  id: Schema.String,
  sequence: Schema.Int,
  timestamp: Timestamp,
  actor: Schema.String,
  role: Schema.String,
  action: Schema.String,
  resource: Schema.String,
  resourceId: Schema.String,
  workspaceId: Schema.String,
  details: Schema.Unknown,
  previousHash: Schema.String,
  hash: Schema.String
}).annotations({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

/** Where the chain ended at a time, signed with a key that lies apart from the table. */
export const AuditHead = Schema.Struct({
  sequence: Schema.Int,
  hash: Schema.String,
  signedAt: Timestamp,
  signature: Schema.String.annotations({ description: "Ed25519 over `sequence:hash:signedAt`, base64url" }),
  publicKey: Schema.String.annotations({ description: "The key that checks it, SPKI in base64url" })
}).annotations({ identifier: "AuditHead" })
export type AuditHead = typeof AuditHead.Type

/** What is wrong with a chain. */
export const AuditFault = Schema.Literal(
  "changed",
  "removed",
  "truncated",
  "unreadable",
  "head-forged",
  "head-missing",
  "key-missing",
  "key-replaced",
  "restore-forged"
)
export type AuditFault = typeof AuditFault.Type

/** A restore of a backup, which leaves a signed mark in the chain (ruling 112). */
export const Restore = Schema.Struct({
  at: Timestamp,
  head: Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Schema.String })).annotations({
    description:
      "Where the chain of the board ended that the backup replaced; null when nothing signed was there"
  })
}).annotations({ identifier: "AuditRestore" })
export type Restore = typeof Restore.Type

/** What a verification found. */
export const AuditVerification = Schema.Struct({
  valid: Schema.Boolean,
  entries: Schema.Int.annotations({ description: "How many entries there are" }),
  brokenAt: Schema.optionalWith(Schema.Int, { exact: true }).annotations({
    description: "The sequence of the first entry that is not what it was"
  }),
  fault: Schema.optionalWith(AuditFault, { exact: true }),
  head: Schema.NullOr(AuditHead).annotations({
    description:
      "The newest signed head; keep a copy elsewhere to prove later that nothing before it has changed"
  }),
  restores: Schema.Array(Restore).annotations({
    description: "The restores that the chain tells of, oldest first; of more than 1,000 the newest"
  })
}).annotations({ identifier: "AuditVerification" })
export type AuditVerification = typeof AuditVerification.Type
