import { type DefinitionCoordinate, personaKind } from "../../board/agent-profiles/ImportSource.ts"
import { sha256 } from "../../kernel/Digest.ts"

/** The slug of a `d` tag: small letters, digits, `-` and `_`, at most 64 of them. */
export const slugOf = (dTag: string): string => {
  const slug = dTag
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .slice(0, 64)
  return /[a-z0-9]/.test(slug) ? slug : sha256(dTag).slice(0, 12)
}

/** The id of the profile, or the roster, that a definition becomes: `relay-<slug>` or `relay-team-<slug>`. */
export const targetIdOf = ({ dTag, kind }: Pick<DefinitionCoordinate, "dTag" | "kind">): string =>
  `${kind === personaKind ? "relay-" : "relay-team-"}${slugOf(dTag)}`
