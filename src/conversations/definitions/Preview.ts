import { Schema } from "effect"
import { AgentProfile } from "../../board/agent-profiles/AgentProfile.ts"
import { DefinitionCoordinate, personaKind, teamKind } from "../../board/agent-profiles/ImportSource.ts"
import { ImportedRoster } from "../../board/team-roster/TeamRoster.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { lookedUp } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue } from "../../kernel/Text.ts"
import { Field } from "../definition-documents/Field.ts"
import { Collision, ImportAction } from "./Collision.ts"
import { hex64 } from "./Hex.ts"
import { DefinitionLink, TargetKind } from "./Link.ts"
import { DefinitionKind } from "./ListedDefinition.ts"

/** A coordinate as a body names it. */
export const CoordinateInput = Schema.Struct({
  authorPubkey: hex64("the public key of the author"),
  kind: Schema.Literal(personaKind, teamKind),
  dTag: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,79}$/, {
      message: () => "Expected the d tag of a definition: 1 to 80 letters, digits, dots, dashes, colons or _"
    }),
    lookedUp
  )
}).annotations({ identifier: "DefinitionCoordinateInput" })

/** The body of a preview. Without a target it is where the definition is linked, or would be created. */
export const PreviewRequest = Schema.Struct({
  coordinate: CoordinateInput,
  action: ImportAction,
  targetId: optional(IdParam)
}).annotations({ identifier: "DefinitionPreviewRequest", ...everyIssue })
export type PreviewRequest = typeof PreviewRequest.Type

/** An event without its signature. Of one that is rejected the tags and the content are left out as well. */
const ShownEvent = Schema.Struct({
  id: Schema.String,
  pubkey: Schema.String,
  kind: Schema.Int,
  created_at: Schema.Int,
  tags: optional(Schema.Array(Schema.Array(Schema.String))),
  content: optional(Schema.String)
}).annotations({ identifier: "DefinitionEvent" })

const ProposedProfile = AgentProfile.pipe(
  Schema.omit("source", "revision", "createdAt", "updatedAt")
).annotations({ identifier: "ProposedProfile" })
export type ProposedProfile = typeof ProposedProfile.Type

const ProposedRoster = ImportedRoster.pipe(
  Schema.omit("source", "revision", "createdAt", "updatedAt")
).annotations({ identifier: "ProposedRoster" })
export type ProposedRoster = typeof ProposedRoster.Type

/** What an import would do. `expectedEventId` and `expectedLocalRevision` go back with the import as they are. */
export const DefinitionPreview = Schema.Struct({
  action: ImportAction,
  coordinate: DefinitionCoordinate,
  kind: DefinitionKind,
  event: ShownEvent,
  contentHash: Schema.String.annotations({
    description: "SHA-256 of the content in UTF-8, as 64 digits of hex"
  }),
  importable: Schema.Boolean,
  fields: Schema.Array(Field),
  targetId: Schema.String,
  targetKind: TargetKind,
  proposed: Schema.NullOr(Schema.Union(ProposedProfile, ProposedRoster)),
  collisions: Schema.Array(Collision),
  unresolvedPersonas: Schema.Array(Schema.String),
  expectedEventId: Schema.String,
  expectedLocalRevision: Schema.String,
  link: Schema.NullOr(DefinitionLink)
}).annotations({ identifier: "DefinitionPreview" })
export type DefinitionPreview = typeof DefinitionPreview.Type
