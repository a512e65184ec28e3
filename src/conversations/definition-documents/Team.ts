import { Either } from "effect"
import type { Content } from "./Content.ts"
import { isRejected } from "./Field.ts"
import { personaTag } from "./Head.ts"
import { limits } from "./Limits.ts"
import type { Reading } from "./Persona.ts"
import { readList, readText, unknownFields } from "./Reader.ts"

/** What a team definition says. `personas` are slugs of its author's personas. */
export interface TeamContent {
  readonly name: string
  readonly description?: string
  readonly personas: ReadonlyArray<string>
}

const known: ReadonlySet<string> = new Set(["name", "description", "persona_ids"])

/** Reads a team (spec 2-relay, Field handling on preview). A team may have no personas yet. */
export const readTeam = (source: Content): Reading<TeamContent> => {
  const reason = "It belongs to the source: a refresh replaces it"
  const name = readText(source, "name", { target: "name", most: limits.teamName, required: true, reason })
  const description = readText(source, "description", {
    target: "description",
    most: limits.description,
    lines: true,
    reason
  })
  const personas = readList(source, "persona_ids", {
    target: "members",
    most: limits.personas,
    item: (text) => personaTag.test(text),
    items: "the slug of a persona",
    reason: "Personas of the same author that are linked to profiles become disabled members"
  })
  const fields = [
    ...[name, description, personas].flatMap(({ fields }) => fields),
    ...unknownFields(source, known)
  ]
  if (name.value === undefined || fields.some(isRejected)) return Either.left(fields)
  return Either.right({
    fields,
    content: {
      name: name.value,
      ...(description.value === undefined ? {} : { description: description.value }),
      personas: personas.value ?? []
    }
  })
}
