import { nearest } from "./Nearest.ts"

/** The variables that the server reads and that begin with `SERVICE_`. `.env.example` describes each. */
const ofServer = [
  "SERVICE_ADMIN_KEY",
  "SERVICE_AGENT_HEARTBEAT_TIMEOUT_SECONDS",
  "SERVICE_ALLOWED_HOSTS",
  "SERVICE_ALLOWED_ORIGINS",
  "SERVICE_API_KEYS",
  "SERVICE_AUTH_ENABLED",
  "SERVICE_AUTH_LOCALHOST_BYPASS",
  "SERVICE_AUTH_LOCALHOST_ROLE",
  "SERVICE_DATA_DIR",
  "SERVICE_DOCS_DIR",
  "SERVICE_EDITOR_COMMAND",
  "SERVICE_ENV",
  "SERVICE_HOST",
  "SERVICE_JWT_SECRET",
  "SERVICE_KEEP_APPROVALS_COUNT",
  "SERVICE_KEEP_APPROVALS_DAYS",
  "SERVICE_KEEP_ADMISSION_COUNT",
  "SERVICE_KEEP_ADMISSION_DAYS",
  "SERVICE_KEEP_DELIVERIES_COUNT",
  "SERVICE_KEEP_DELIVERIES_DAYS",
  "SERVICE_KEEP_EVENTS_COUNT",
  "SERVICE_KEEP_EVENTS_DAYS",
  "SERVICE_KEEP_OPERATIONS_DAYS",
  "SERVICE_KEEP_OUTPUTS_COUNT",
  "SERVICE_KEEP_OUTPUTS_DAYS",
  "SERVICE_KEEP_RECEIPTS_COUNT",
  "SERVICE_KEEP_RECEIPTS_DAYS",
  "SERVICE_KEEP_RUNS_COUNT",
  "SERVICE_KEEP_RUNS_DAYS",
  "SERVICE_KEEP_TELEMETRY_COUNT",
  "SERVICE_KEEP_TELEMETRY_DAYS",
  "SERVICE_KEEP_TRACES_COUNT",
  "SERVICE_KEEP_TRACES_DAYS",
  "SERVICE_LOG_FORMAT",
  "SERVICE_LOG_LEVEL",
  "SERVICE_OUTBOUND_ALLOW_LOOPBACK",
  "SERVICE_OUTBOUND_ALLOW_PRIVATE_NETWORK",
  "SERVICE_PORT",
  "SERVICE_SEARCH_BACKEND",
  "SERVICE_SEARCH_EMBEDDINGS_KEY",
  "SERVICE_SEARCH_EMBEDDINGS_MODEL",
  "SERVICE_SEARCH_EMBEDDINGS_URL",
  "SERVICE_SECRETS",
  "SERVICE_SQLITE_HOST_ID",
  "SERVICE_SQLITE_PATH",
  "SERVICE_SQLITE_TOPOLOGY",
  "SERVICE_WORKTREES_DIR",
  "SERVICE_WORKTREE_TRASH_DAYS"
] as const

/** The variables that only the muster command reads. */
const ofCommand = ["SERVICE_API_KEY", "SERVICE_API_URL"] as const

/** Every variable of the product that begins with `SERVICE_`. */
export const variableNames: ReadonlyArray<string> = [...ofServer, ...ofCommand].sort()

const known: ReadonlySet<string> = new Set(variableNames)

/** The most letters by which a misspelled name may differ from a known one. */
const typo = 4

/**
 * A line for each name that looks like a variable of this product but is not one: a misspelled variable would otherwise
 * be ignored in silence. `listed` holds the names that `SERVICE_SECRETS` lists, which are known as well.
 */
export const unknownVariables = (
  names: Iterable<string>,
  listed: Iterable<string> = []
): ReadonlyArray<string> => {
  const meant = new Set(listed)
  return [...new Set(names)]
    .filter((name) => name.startsWith("SERVICE_") && !known.has(name) && !meant.has(name))
    .sort()
    .map((name) => {
      const candidate = nearest(name, variableNames, typo)
      return `${name} is no variable of Muster${candidate === undefined ? "" : `: did you mean ${candidate}?`}`
    })
}
