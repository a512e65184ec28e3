import type { Issue } from "./Failures.ts"

/** The most issues that an answer lists. */
const issueLimit = 50

interface RawIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/**
 * What is wrong with an input, a line for each field. The decoder reports a union's members one by one and quotes the
 * input; here they are gathered by field and the input is left out.
 */
export const issuesOf = (raw: ReadonlyArray<RawIssue>): ReadonlyArray<Issue> => {
  const byPath = new Map<string, Set<string>>()
  for (const { message, path } of raw) {
    const key = path.map(String).join(".")
    const messages = byPath.get(key) ?? new Set()
    messages.add(withoutInput(message))
    byPath.set(key, messages)
  }
  return [...byPath]
    .slice(0, issueLimit)
    .map(([path, messages]) => ({ path: path.slice(0, 200), message: joined([...messages]).slice(0, 300) }))
}

const withoutInput = (message: string): string => message.replace(/, actual [\s\S]*$/, "")

/** `Expected "a"`, `Expected "b"` reads as one expectation. */
const joined = (messages: ReadonlyArray<string>): string => {
  const expectations = messages.filter((message) => message.startsWith("Expected "))
  return expectations.length < 2
    ? messages.join("; ")
    : `Expected ${expectations.map((message) => message.slice("Expected ".length)).join(" or ")}`
}
