import { Either } from "effect"
import type { ProfileContent } from "../../board/agent-profiles/AgentProfile.ts"
import { personaKind } from "../../board/agent-profiles/ImportSource.ts"
import { contentOf } from "./Content.ts"
import type { Field } from "./Field.ts"
import type { Head } from "./Head.ts"
import { readPersona } from "./Persona.ts"
import { readTeam, type TeamContent } from "./Team.ts"

/** What a head defines, as far as it may be imported. */
export type Definition =
  | { readonly kind: "persona"; readonly content: ProfileContent }
  | { readonly kind: "team"; readonly content: TeamContent }

/** What was found about a head: what it defines, nothing when it may not be imported, and the report on its fields. */
export interface Judgement {
  readonly definition: Definition | undefined
  readonly fields: ReadonlyArray<Field>
}

/** Judges a head. Nothing of what is rejected stands in the judgement. */
export const judge = ({ coordinate, event }: Head): Judgement => {
  const source = contentOf(event)
  if (Either.isLeft(source)) return { definition: undefined, fields: source.left }
  const kind = coordinate.kind === personaKind ? "persona" : "team"
  return kind === "persona"
    ? Either.match(readPersona(source.right), {
        onLeft: (fields): Judgement => ({ definition: undefined, fields }),
        onRight: ({ content, fields }) => ({ definition: { kind, content }, fields })
      })
    : Either.match(readTeam(source.right), {
        onLeft: (fields): Judgement => ({ definition: undefined, fields }),
        onRight: ({ content, fields }) => ({ definition: { kind, content }, fields })
      })
}
