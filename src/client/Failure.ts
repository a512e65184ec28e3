import { Data } from "effect"

/** The server refused the request. `body` is its error envelope as it was sent. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly code: string
  readonly reason: string
  readonly details: Readonly<Record<string, unknown>>
  readonly body: unknown
}> {}

/** No answer came from the address, or not in time. */
export class Unreachable extends Data.TaggedError("Unreachable")<{
  readonly url: string
  readonly reason: string
}> {}

/** The answer does not fit the contract of this version. */
export class Misunderstood extends Data.TaggedError("Misunderstood")<{
  readonly url: string
  readonly reason: string
}> {}

/** The command line, the environment or a file is wrong. */
export class Misused extends Data.TaggedError("Misused")<{
  readonly reason: string
  readonly remedy: string
}> {}

/** The task is in a status that the command is not for. */
export class WrongStatus extends Data.TaggedError("WrongStatus")<{
  readonly taskId: string
  readonly status: string
  readonly reason: string
  readonly remedy: string
}> {}

/** The task is assigned to somebody else. */
export class Held extends Data.TaggedError("Held")<{
  readonly taskId: string
  readonly status: string
  readonly assignee: string
}> {}

/** Something else is in the way, e.g. a running server. */
export class Blocked extends Data.TaggedError("Blocked")<{
  readonly reason: string
  readonly remedy: string
}> {}

/** Why a command failed. */
export type Failure = Refused | Unreachable | Misunderstood | Misused | WrongStatus | Held | Blocked

/** The exit codes of the process; the help lists them. */
export const ExitCode = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  permission: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** A failure as it is reported: to the shell, to a program, and to a person. */
export interface Told {
  readonly exitCode: ExitCode
  /** The server's envelope, or one of the same form. */
  readonly envelope: unknown
  readonly happened: string
  /** Details, a line each: what is missing, what is wrong. */
  readonly facts: ReadonlyArray<string>
  readonly remedy: string | undefined
}

const envelope = (error: string, code: string, details: Readonly<Record<string, unknown>>) => ({
  error,
  code,
  details
})

/** Says what happened and what to do about it. */
export const tell = (failure: Failure): Told => {
  switch (failure._tag) {
    case "Refused":
      return tellRefused(failure)
    case "Unreachable": {
      const happened = `No answer from ${failure.url}: ${failure.reason}`
      return {
        exitCode: ExitCode.unavailable,
        envelope: envelope(happened, "UNAVAILABLE", { url: failure.url, reason: failure.reason }),
        happened,
        facts: [],
        remedy:
          "Start the server with npm start, or say where it is with SERVICE_API_URL. muster doctor tells more."
      }
    }
    case "Misunderstood": {
      const happened = `${failure.url} gave an answer that this command does not understand: ${failure.reason}`
      return {
        exitCode: ExitCode.unexpected,
        envelope: envelope(happened, "UNEXPECTED_ANSWER", { url: failure.url, reason: failure.reason }),
        happened,
        facts: [],
        remedy:
          "Check that SERVICE_API_URL is the address of a Muster server, and that server and command have the same version."
      }
    }
    case "Misused":
      return {
        exitCode: ExitCode.usage,
        envelope: envelope(failure.reason, "USAGE", { remedy: failure.remedy }),
        happened: failure.reason,
        facts: [],
        remedy: failure.remedy
      }
    case "Blocked":
      return {
        exitCode: ExitCode.conflict,
        envelope: envelope(failure.reason, "CONFLICT", { remedy: failure.remedy }),
        happened: failure.reason,
        facts: [],
        remedy: failure.remedy
      }
    case "Held": {
      const { assignee, status, taskId } = failure
      const happened = `Task ${taskId} is ${assignee}'s, and ${status}`
      return {
        exitCode: ExitCode.conflict,
        envelope: envelope(happened, "CONFLICT", { taskId, status, assignee }),
        happened,
        facts: [],
        remedy: `To take it from ${assignee}: muster begin ${taskId} --take-over`
      }
    }
    case "WrongStatus":
      return {
        exitCode: ExitCode.conflict,
        envelope: envelope(failure.reason, "CONFLICT", { taskId: failure.taskId, status: failure.status }),
        happened: failure.reason,
        facts: [],
        remedy: failure.remedy
      }
  }
}

const gateCodes: ReadonlySet<string> = new Set([
  "REVIEW_GATE_FAILED",
  "CLOSING_COMMENT_REQUIRED",
  "CEREMONY_REQUIRED"
])

const exitCodeOf = ({ code, status }: Refused): ExitCode => {
  if (gateCodes.has(code)) return ExitCode.conflict
  switch (status) {
    case 401:
    case 403:
      return ExitCode.permission
    case 404:
      return ExitCode.notFound
    case 409:
      return ExitCode.conflict
    case 429:
    case 502:
    case 503:
    case 504:
      return ExitCode.unavailable
    default:
      return status < 500 ? ExitCode.usage : ExitCode.unexpected
  }
}

const tellRefused = (refused: Refused): Told => ({
  exitCode: exitCodeOf(refused),
  envelope: refused.body,
  happened: refused.reason,
  facts: factsOf(refused),
  remedy: remedyOf(refused)
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const recordsIn = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** The details of a refusal, as lines for a person. */
const factsOf = ({ code, details }: Refused): ReadonlyArray<string> => {
  if (code === "REVIEW_GATE_FAILED") {
    const current = isRecord(details["currentScores"]) ? details["currentScores"] : {}
    const required = isRecord(details["requiredScores"]) ? details["requiredScores"] : {}
    return Object.entries(required)
      .filter(([field, score]) => current[field] !== score)
      .map(([field, score]) => `${field}: ${current[field] ?? "no score"}, needs ${score}`)
  }
  if (code === "CLOSING_COMMENT_REQUIRED") {
    return [
      `comments: ${details["commentCount"]}; the longest has ${details["longestComment"]} characters, needs ${details["requiredLength"]}`
    ]
  }
  if (code === "CEREMONY_REQUIRED") {
    const reasons = Array.isArray(details["reasons"]) ? details["reasons"].map(String) : []
    return [`ceremony: ${details["ceremonyType"]} (${details["ceremonyId"]})`, ...reasons]
  }
  const issues = recordsIn(details["issues"]).map(({ message, path }) =>
    path === "" ? String(message) : `${path}: ${message}`
  )
  const conflicts = recordsIn(details["conflicts"]).map(
    ({ id, sources }) =>
      `${id} is claimed by ${recordsIn(sources)
        .map(({ path }) => path)
        .join(", ")}`
  )
  // The reason of a launch that is refused tells the first one; that of a worktree tells them all.
  const blockers = "remediation" in details ? recordsIn(details["blockers"]).slice(1) : []
  return [...issues, ...conflicts, ...blockers.map(({ message }) => String(message))]
}

const remedies: Readonly<Record<string, string>> = {
  REVIEW_GATE_FAILED: "Set the scores with PATCH /api/tasks/:id {reviewScores}, then try again.",
  CLOSING_COMMENT_REQUIRED: "Add one with muster comment ID TEXT, then try again.",
  CEREMONY_REQUIRED: "Complete the ceremony, then try again.",
  PERMISSION_DENIED: "Use a key with a role that may do this: SERVICE_API_KEY chooses the key.",
  RATE_LIMITED: "Wait a little and try again.",
  ADMISSION_OVERLOAD: "muster admission shows who has the room.",
  STORAGE_UNAVAILABLE: "muster doctor finds out what is wrong with it."
}

const remedyOf = ({ code, details, reason }: Refused): string | undefined => {
  if (typeof details["remedy"] === "string") return details["remedy"]
  if (details["retryable"] === true) {
    const seconds = details["retryAfterSeconds"]
    return typeof seconds === "number" ? `Try again in ${seconds} seconds.` : "Try again in a little while."
  }
  const enabled = details["enabledChannelId"]
  if (typeof enabled === "string") {
    return `Switch that one off with muster relay map ${enabled} --disable, then map this one.`
  }
  if (reason === "Duplicate task identity detected") {
    return "muster doctor tells how to tell them apart."
  }
  return remedies[code]
}
