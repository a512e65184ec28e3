import { after, oneLine } from "../../kernel/Foreign.ts"
import type { RunStatus } from "../../runs/control/Control.ts"
import type {
  CompletionResult,
  HarnessEvidence,
  TerminalSource
} from "../../runs/documents/CompletionResult.ts"
import type { Paint } from "./Paint.ts"
import { runState, usageLines } from "./RunText.ts"

/*
 * The result of a run in words: what its agent claimed, what the service saw, and what follows from both.
 */

const sources: Readonly<Record<TerminalSource, string>> = {
  callback: "its agent said so",
  process: "its process ended",
  turn: "its turn ended",
  stop: "somebody stopped it",
  restart: "the server that ran it ended",
  cancel: "it was cancelled"
}

/** How many members of a list are named. */
const most = 20

const listed = (name: string, members: ReadonlyArray<string>): ReadonlyArray<string> =>
  members.length === 0
    ? []
    : [
        `  ${name}: ${members.slice(0, most).map(oneLine).join(", ")}${members.length > most ? `, and ${members.length - most} more` : ""}`
      ]

const nameOf = (one: {
  readonly id?: string
  readonly name?: string
  readonly path?: string
  readonly kind?: string
  readonly reference?: string
}): string => one.name ?? one.path ?? one.id ?? one.reference ?? one.kind ?? "without a name"

const claimed = ({ claims }: CompletionResult): ReadonlyArray<string> => {
  if (claims === null) return ["  nothing"]
  const { artifacts = [], blockers = [], files = [], providerEvidence, verification = [] } = claims
  const evidence = Array.isArray(providerEvidence)
    ? providerEvidence.map((one) => String(one.summary))
    : Object.keys(providerEvidence ?? {})
  return [
    `  ${claims.status}`,
    ...(claims.summary === undefined || claims.summary === ""
      ? []
      : [after("  summary:", "    > ", claims.summary)]),
    ...listed(
      "blocked by",
      blockers.map((one) => (typeof one === "string" ? one : one.message))
    ),
    ...listed(
      "verification",
      verification.map((one) => `${nameOf(one)} ${one.status}`)
    ),
    ...listed("artifacts", artifacts.map(nameOf)),
    ...listed("evidence", evidence),
    ...listed("files", files)
  ]
}

const exitText = ({ exit }: HarnessEvidence, provider: string | null): string => {
  if (exit === undefined) {
    return provider === "gateway"
      ? "  no process of this server: its agent works elsewhere"
      : "  no exit of its process"
  }
  return exit.signal === null
    ? `  its process ended with ${exit.code ?? "no code"}`
    : `  its process was ended by ${oneLine(exit.signal)}`
}

const workspaceLines = ({ workspace }: HarnessEvidence): ReadonlyArray<string> => {
  if (workspace === undefined) return ["  no workspace"]
  const { baselineHead, commits, files, head, truncated, unreadable } = workspace
  if (unreadable !== undefined) return [`  the workspace can't be read: ${oneLine(unreadable)}`]
  const moved = head !== null && head !== baselineHead
  return [
    `  ${commits === 0 ? "no new commit" : `${commits} new ${commits === 1 ? "commit" : "commits"}`}${moved ? `; HEAD is now ${head}` : ""}`,
    ...(files.length === 0
      ? ["  no file that changed"]
      : listed(`${truncated ? "at least " : ""}${files.length} changed`, files))
  ]
}

const seen = (result: CompletionResult, provider: string | null): ReadonlyArray<string> => {
  const { files, harnessEvidence, sideEffects } = result
  const { expectedOutputs } = harnessEvidence
  return [
    exitText(harnessEvidence, provider),
    ...workspaceLines(harnessEvidence),
    ...listed(
      "outputs that were expected",
      expectedOutputs.map(({ found, id, required }) =>
        found ? `${id} is there` : `${id} is missing${required ? "" : ", and need not be there"}`
      )
    ),
    ...listed(
      "claimed and not seen",
      files.filter(({ claimed, observed }) => claimed && !observed).map(({ path }) => path)
    ),
    ...listed(
      "side effects",
      sideEffects.map(
        ({ authorized, kind, scope }) => `${kind} ${scope}${authorized ? "" : " (not allowed)"}`
      )
    )
  ]
}

/** The result of a run in words. */
export const resultText = (
  result: CompletionResult,
  { agent, provider, usage }: Pick<RunStatus, "agent" | "provider" | "usage">,
  paint: Paint
): string => {
  const { attemptId, completedAt, continuation, degradations, status, summary, taskId, terminalSource } =
    result
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", paint.dim(title), ...lines]
  const about = `${paint.bold(oneLine(attemptId))}: ${oneLine(agent ?? "nobody")} on ${oneLine(taskId)}`
  return [
    `${runState(status, paint)}  ${about}`,
    `${sources[terminalSource]}, ${completedAt}`,
    ...(result.claims === null && summary !== null && terminalSource !== "restart" ? [oneLine(summary)] : []),
    ...section("Claimed", claimed(result)),
    ...section("Seen", seen(result, provider)),
    ...section(
      "Why it is partial",
      degradations.map(({ code, message }) => `  - ${oneLine(message)} (${oneLine(code)})`)
    ),
    ...section(
      "Used",
      usageLines(usage).map((line) => `  ${line}`)
    ),
    ...section(
      "To go on",
      continuation === null ? [] : [`  ${oneLine(continuation.kind)}: ${oneLine(continuation.reference)}`]
    )
  ].join("\n")
}
