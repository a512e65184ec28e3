import { Effect } from "effect"
import type { Connection } from "../../client/Connection.ts"
import { AuthApi } from "../../identity/auth/Api.ts"
import { AuditApi } from "../../insight/audit/Api.ts"
import type { AuditVerification } from "../../insight/audit/AuditEntry.ts"
import { HealthApi } from "../../insight/health/Api.ts"
import type { DeepHealth } from "../../insight/health/DeepHealth.ts"
import { asking } from "./AskServer.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

/** The finding on the database. */
export const judgeDatabase = (sqlite: DeepHealth["sqlite"]): Check => {
  const { databaseLocation, filesystemPosture, filesystemType, healthPosture, journalMode } = sqlite
  const name = "database"
  const detail = `SQLite on ${filesystemType}, journal mode ${journalMode}`
  if (sqlite.damage !== undefined || sqlite.lastIntegrityCheck?.result === "damaged") {
    return fail(
      name,
      `${detail}: it is damaged (${sqlite.damage ?? "corrupt"})`,
      "Stop the server, and muster restore FILE with a good backup"
    )
  }
  if (databaseLocation === "memory") {
    return warn(
      name,
      "the board is kept in memory only: it is lost when the server stops",
      "Set SERVICE_SQLITE_PATH to a file"
    )
  }
  if (filesystemPosture === "unknown") {
    return warn(
      name,
      `${detail}: it is not known whether this file system keeps its locks`,
      "Put SERVICE_DATA_DIR on a disk of the machine, e.g. ext4, xfs or apfs"
    )
  }
  return healthPosture === "healthy"
    ? ok(name, detail)
    : warn(name, detail, "The log of the server tells more; muster backup FILE is a good idea")
}

/** The finding on the circuits of outbound calls. */
export const judgeCircuits = ({ circuits }: DeepHealth["dependencyCircuits"]): Check => {
  const name = "circuits"
  const open = circuits.filter(({ override, state }) => state !== "closed" && override?.mode !== "allow")
  const blocked = circuits.filter(({ override }) => override?.mode === "block")
  const keys = (all: typeof circuits) => all.map(({ key }) => key).join(", ")
  if (blocked.length > 0) {
    return warn(
      name,
      `an operator blocks ${keys(blocked)}`,
      "DELETE /health/dependency-circuits/:key/override lets calls through again"
    )
  }
  return open.length > 0
    ? warn(
        name,
        `calls fail: ${keys(open)}`,
        "Look at what they call; GET /health/deep has the codes of the failures"
      )
    : ok(name, circuits.length === 0 ? "nothing was called yet" : `all ${circuits.length} let calls through`)
}

/** The finding on the workers. */
export const judgeWorkers = (workers: DeepHealth["workers"]): Check => {
  const failing = workers.filter(({ failures }) => failures > 0)
  return failing.length === 0
    ? ok("workers", `all ${workers.length} are running`)
    : warn(
        "workers",
        `${failing.map(({ worker }) => worker).join(", ")} failed`,
        "The log of the server tells why"
      )
}

/** The finding on the audit chain. */
export const judgeAudit = ({ brokenAt, entries, fault, restores, valid }: AuditVerification): Check => {
  const name = "audit"
  if (!valid) {
    const where = brokenAt === undefined ? "" : ` from entry ${brokenAt} on`
    return fail(
      name,
      `the chain is not what was signed${where}: ${fault ?? "unknown"}`,
      "Find out who could write into the data directory; muster restore FILE brings a backup back and leaves a signed mark"
    )
  }
  const restored = restores.at(-1)
  const since =
    restored === undefined
      ? ""
      : `, and tell of ${restores.length === 1 ? "a restore" : `${restores.length} restores, the last`} at ${restored.at}`
  return ok(
    name,
    `${entries === 1 ? "its entry is as it was" : `all ${entries} entries are as they were`} written${since}`
  )
}

/** Checks the inside of the server, as far as the key allows. */
export const checkDeep = (connection: Connection) =>
  asking("diagnostics", connection, (call) =>
    Effect.gen(function* () {
      const { permissions } = yield* call(AuthApi, ({ auth }) => auth.status())
      if (!permissions.includes("admin:manage")) {
        return [
          ok("diagnostics", "not checked: an admin key shows the database, the circuits and the workers")
        ]
      }
      const { dependencyCircuits, sqlite, workers } = yield* call(HealthApi, ({ health }) => health.deep())
      const chain = yield* call(AuditApi, ({ audit }) => audit.verify())
      return [
        judgeDatabase(sqlite),
        judgeAudit(chain),
        judgeCircuits(dependencyCircuits),
        judgeWorkers(workers)
      ]
    })
  )
