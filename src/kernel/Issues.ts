import type { Issue } from "./Failures.ts"
import { redactText } from "./Redaction.ts"

/** The most issues that an answer lists. */
const issueLimit = 50

interface RawIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/**
 * What is wrong with an input, a line for each field. The decoder reports a union's members one by one and quotes the
 * input; here they are gathered by field and the input is left out. Where the parts of a field are at fault, the
 * field itself is not named.
 */
export const issuesOf = (raw: ReadonlyArray<RawIssue>): ReadonlyArray<Issue> => {
  const byPath = new Map<string, Set<string>>()
  for (const { message, path } of raw) {
    const key = pathOf(path)
    const messages = byPath.get(key) ?? new Set()
    messages.add(plain(withoutInput(message)))
    byPath.set(key, messages)
  }
  // A field that may be null reports `Expected null` beside the faults of what was sent in its place.
  const explained = new Set(
    raw.flatMap(({ path }) => path.slice(1).map((_, index) => pathOf(path.slice(0, index + 1))))
  )
  return [...byPath]
    .filter(([path]) => !explained.has(path))
    .slice(0, issueLimit)
    .map(([path, messages]) => ({
      // An unknown field is named as it was sent, and a name may be a secret.
      path: redactText(path.slice(0, 1_000)).slice(0, 200),
      message: joined([...messages]).slice(0, 300)
    }))
}

const pathOf = (path: RawIssue["path"]): string => path.map(String).join(".")

const withoutInput = (message: string): string =>
  message.replace(/, actual [\s\S]*$/, "").replace(/^Unable to decode [\s\S]* into (?=an? )/, "Expected ")

/** Where a list or an object is expected, the decoder spells out its whole type; an answer names only the kind. */
const plain = (message: string): string =>
  message
    .replace(/^Expected ReadonlyArray<[\s\S]*$/, "Expected a list")
    .replace(
      /^Expected (?:\(*\{[\s\S]*|[A-Z]\w+(?: \| [A-Z]\w+)*(?: \(Encoded side\))?)$/,
      "Expected an object"
    )

/**
 * Merges `Expected "a"` and `Expected "b"` into one expectation, and drops `undefined`: whoever sent the field does not
 * want to know that it may be absent.
 */
const joined = (all: ReadonlyArray<string>): string => {
  const messages = all.length > 1 ? all.filter((message) => message !== "Expected undefined") : all
  const expectations = messages.filter((message) => message.startsWith("Expected "))
  return expectations.length < 2
    ? messages.join("; ")
    : `Expected ${expectations.map((message) => message.slice("Expected ".length)).join(" or ")}`
}
