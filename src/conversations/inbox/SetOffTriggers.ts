import type { Effect } from "effect"
import { redactText } from "../../kernel/Redaction.ts"
import { sanitizeText } from "../../kernel/Sanitize.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Mapping } from "../mappings/Mapping.ts"
import { considerTriggers } from "../triggers/Units.ts"
import type { NostrEvent } from "../wire/NostrEvent.ts"
import { cut } from "./MessageLength.ts"

/** Finds the triggers that a new event sets off, by its text as the squad chat shows it. */
export const setOff = (
  { content, created_at: createdAt, id: eventId, kind, pubkey: authorPubkey }: NostrEvent,
  { community, mapping }: { readonly community: string; readonly mapping: Mapping },
  { isEcho = false, isRoot = false }: { readonly isEcho?: boolean; readonly isRoot?: boolean }
): Effect.Effect<void, never, Sql> =>
  considerTriggers({
    adapterId: mapping.adapterId,
    mappingId: mapping.id,
    community,
    channelId: mapping.channelId,
    eventId,
    authorPubkey,
    kind,
    isRoot,
    isEcho,
    text: redactText(cut(sanitizeText(content))),
    createdAt
  })
