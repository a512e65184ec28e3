import { assignments } from "./Assignments.ts"
import { clauses, databaseLogins, statements } from "./Clauses.ts"
import { commands } from "./Commands.ts"
import { redactKnown } from "./KnownSecrets.ts"
import { prose } from "./Prose.ts"
import { elements, headers, privateKeys, urls } from "./Shapes.ts"
import type { Step } from "./Step.ts"
import { redactTokens } from "./Tokens.ts"

/** What a secret is told by, each taking out what it knows: its value, its shape, the place where it stands. */
export const steps: ReadonlyArray<Step> = [
  { redact: redactKnown },
  privateKeys,
  urls,
  { redact: redactTokens },
  headers,
  elements,
  assignments,
  databaseLogins,
  statements,
  clauses,
  commands,
  prose
]
