import { chmodSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Check } from "../../src/cli/doctor/Check.ts"
import { judgeAudit, judgeCircuits, judgeDatabase, judgeWorkers } from "../../src/cli/doctor/Deep.ts"
import { canHold, isAlive, judgeLock, listeningSockets } from "../../src/cli/doctor/Lock.ts"
import { judgeNode, judgeVariables } from "../../src/cli/doctor/Machine.ts"
import { judgeClock, judgeCredential } from "../../src/cli/doctor/Server.ts"
import { now } from "../../src/kernel/Time.ts"
import { cli, cliAs, cliWith, type Ran } from "../support/Cli.ts"
import { deserted, stub } from "../support/Stub.ts"
import { keys, temporaryDirectory, World, world } from "../support/World.ts"

/** The findings by name. */
const findings = (ran: Ran): Readonly<Record<string, Check>> =>
  Object.fromEntries(ran.json().checks.map((check: Check) => [check.name, check]))

const statuses = (ran: Ran) =>
  Object.fromEntries(Object.entries(findings(ran)).map(([name, { status }]) => [name, status]))

describe("the doctor", () => {
  it.scopedLive("finds a healthy board healthy", () =>
    Effect.gen(function* () {
      const ran = yield* cliAs("admin", "doctor", "--json")
      assert.deepStrictEqual([ran.exitCode, ran.stderr], [0, ""])
      assert.isTrue(ran.json().ok)
      assert.deepStrictEqual(statuses(ran), {
        node: "ok",
        sqlite: "ok",
        git: "ok",
        variables: "ok",
        address: "ok",
        clock: "ok",
        "health: storage": "ok",
        "health: memory": "ok",
        "health: disk": "ok",
        credential: "ok",
        database: "ok",
        audit: "ok",
        circuits: "ok",
        workers: "ok",
        identities: "ok",
        "key file": "ok",
        "data directory": "ok",
        "one server": process.platform === "linux" ? "ok" : "warn"
      })
      assert.include(findings(ran)["credential"]?.detail, "role admin")
      const told = yield* cli("doctor")
      assert.strictEqual(told.exitCode, 0)
      assert.match(told.stdout, /^ok {4}diagnostics +not checked: an admin key/m)
      assert.match(told.stdout, /^ok {4}node/)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes a server without room on its disk for what it is, and for no proxy", () =>
    Effect.gen(function* () {
      const timestamp = "2026-01-01T00:00:00.000Z"
      const fine = { status: "ok" }
      const checks = { storage: fine, memory: fine, disk: { status: "degraded", detail: "50 MB are free" } }
      const server = yield* stub(({ url }) =>
        url.endsWith("/health/ready")
          ? { status: 503, body: { status: "degraded", checks, timestamp } }
          : { body: { status: "ok", timestamp } }
      )
      const ran = yield* cliWith({ SERVICE_API_URL: server.url, SERVICE_API_KEY: "k" }, "doctor", "--json")
      assert.deepInclude(statuses(ran), { "health: storage": "ok", "health: disk": "fail" })
      const { detail, remedy } = findings(ran)["health: disk"] ?? {}
      assert.strictEqual(detail, "50 MB are free")
      assert.include(remedy, "Make room on the disk")
      assert.notInclude(ran.stdout, "proxy")
    })
  )

  it.scopedLive("knows a data directory that is a file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "data")
      writeFileSync(file, "")
      const ran = yield* cliWith(
        { SERVICE_API_URL: yield* deserted, SERVICE_DATA_DIR: file },
        "doctor",
        "--json"
      )
      assert.deepInclude(findings(ran)["data directory"], {
        status: "fail",
        detail: `${file} is not a directory`
      })
      assert.include(findings(ran)["data directory"]?.remedy, "SERVICE_DATA_DIR")
    })
  )

  it.scopedLive("says why nobody answers", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const environment = { SERVICE_API_URL: yield* deserted, SERVICE_DATA_DIR: directory }
      const ran = yield* cliWith(environment, "doctor", "--json")
      assert.strictEqual(ran.exitCode, 1)
      assert.isFalse(ran.json().ok)
      assert.deepInclude(statuses(ran), { address: "fail", "data directory": "ok", "one server": "ok" })
      assert.isUndefined(findings(ran)["credential"])
      assert.include((yield* cliWith(environment, "doctor")).stdout, "1 of 8 checks failed.")
    })
  )

  it.scopedLive("tells a key that is missing from one that is wrong", () =>
    Effect.gen(function* () {
      const { baseUrl, directory } = yield* World
      const environment = { SERVICE_API_URL: baseUrl, SERVICE_DATA_DIR: directory }
      const missing = findings(yield* cliWith(environment, "doctor", "--json"))["credential"]
      assert.strictEqual(missing?.status, "fail")
      assert.include(missing?.detail, "there is no key")
      const ran = yield* cliWith({ ...environment, SERVICE_API_KEY: "a-wrong-key" }, "doctor", "--json")
      assert.strictEqual(ran.exitCode, 1)
      assert.include(findings(ran)["credential"]?.detail, "does not know the key of SERVICE_API_KEY")
      assert.notInclude(ran.stdout, "a-wrong-key")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("fails on a key that others can read", () =>
    Effect.gen(function* () {
      const { baseUrl, directory } = yield* World
      const file = join(directory, "admin-key")
      writeFileSync(file, `${keys.admin}\n`, { mode: 0o600 })
      const environment = { SERVICE_API_URL: baseUrl, SERVICE_DATA_DIR: directory }
      const good = yield* cliWith(environment, "doctor", "--json")
      assert.deepInclude(statuses(good), { credential: "ok", "key file": "ok" })
      chmodSync(file, 0o644)
      const bad = yield* cliWith(environment, "doctor", "--json")
      assert.strictEqual(bad.exitCode, 1)
      assert.strictEqual(findings(bad)["key file"]?.status, "fail")
      assert.include(findings(bad)["key file"]?.remedy, "chmod 600")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("notices that the server that answers has another data directory", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const elsewhere = yield* temporaryDirectory
      const environment = {
        SERVICE_API_URL: baseUrl,
        SERVICE_API_KEY: keys.admin,
        SERVICE_DATA_DIR: elsewhere
      }
      assert.strictEqual(statuses(yield* cliWith(environment, "doctor", "--json"))["one server"], "warn")
      // The parent of this process lives, and is not the one that answers.
      const holder = { pid: process.ppid, host: hostname(), startedAt: yield* now }
      writeFileSync(join(elsewhere, "muster.lock.json"), JSON.stringify(holder))
      const lock = findings(yield* cliWith(environment, "doctor", "--json"))["one server"]
      assert.strictEqual(lock?.status, process.platform === "linux" ? "fail" : "warn")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("tells tasks of one id apart", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const item = { provider: "github", repository: "o/r", number: 1 }
      const lines = [
        { id: "T-1", title: "One", externalWorkItems: [item] },
        { id: "T-1", title: "Another" },
        { id: "T-2", title: "The same item", externalWorkItems: [item] }
      ]
      const raw = lines.map((line) => JSON.stringify(line)).join("\n")
      yield* request("POST", "/api/tasks/import", {
        as: "admin",
        raw,
        headers: { "content-type": "text/plain" }
      })
      const found = findings(yield* cliAs("admin", "doctor", "--json"))["identities"]
      assert.strictEqual(found?.status, "warn")
      assert.include(found?.detail, "github:o/r#1, T-1")
      assert.include(found?.remedy, "--repair-ids")
      const agent = yield* cli("doctor", "--repair-ids", "--json")
      assert.strictEqual(agent.exitCode, 1)
      assert.strictEqual(findings(agent)["repair"]?.status, "fail")
      const admin = findings(yield* cliAs("admin", "doctor", "--repair-ids", "--json"))
      assert.match(admin["repair"]?.detail ?? "", /^T-1 is task_\w+ now$/)
      assert.notInclude(admin["identities"]?.detail, "T-1")
      const again = findings(yield* cliAs("admin", "doctor", "--json"))["identities"]
      assert.include(again?.detail, "github:o/r#1")
      yield* request("POST", "/api/tasks/T-2/archive")
      assert.strictEqual(findings(yield* cliAs("admin", "doctor", "--json"))["identities"]?.status, "ok")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("goes on when the environment is wrong", () =>
    Effect.gen(function* () {
      const ran = yield* cliWith({ SERVICE_API_URL: "nowhere" }, "doctor", "--json")
      assert.strictEqual(ran.exitCode, 1)
      assert.deepInclude(statuses(ran), { node: "ok", address: "fail" })
    })
  )
})

describe("a finding", () => {
  it("about the database names what is wrong with it, the worst first", () => {
    const fine = {
      schemaVersion: "sqlite-storage/v1",
      databaseLocation: "runtime-default",
      platform: "linux",
      filesystemType: "ext4",
      filesystemPosture: "supported-local",
      detectionSource: "proc-mountinfo",
      reasonCode: "local-filesystem",
      journalMode: "wal",
      decisionSource: "filesystem-policy",
      overrideSource: "none",
      healthPosture: "healthy",
      lockingPosture: "trusted"
    } as const
    assert.strictEqual(judgeDatabase(fine).status, "ok")
    assert.strictEqual(judgeDatabase({ ...fine, healthPosture: "attention" }).status, "warn")
    assert.include(judgeDatabase({ ...fine, filesystemPosture: "unknown" }).detail, "keeps its locks")
    assert.include(
      judgeDatabase({ ...fine, databaseLocation: "memory" }).detail,
      "lost when the server stops"
    )
    const lastIntegrityCheck = {
      checkedAt: "2026-11-21T09:30:00.000Z",
      result: "damaged",
      durationMs: 1
    } as const
    const damaged = judgeDatabase({ ...fine, databaseLocation: "memory", lastIntegrityCheck })
    assert.strictEqual(damaged.status, "fail")
    assert.include(damaged.remedy, "muster restore")
  })

  it("about the audit chain names the fault, and the restores of a sound one", () => {
    const chain = { valid: true, entries: 7, head: null, restores: [] }
    assert.deepInclude(judgeAudit(chain), { status: "ok", detail: "all 7 entries are as they were written" })
    const restored = { ...chain, restores: [{ at: "2026-11-22T07:00:00.000Z", head: null }] }
    assert.include(judgeAudit(restored).detail, "tell of a restore at 2026-11-22T07:00:00.000Z")
    const broken = judgeAudit({ ...chain, valid: false, brokenAt: 4, fault: "truncated" })
    assert.strictEqual(broken.status, "fail")
    assert.include(broken.detail, "from entry 4 on: truncated")
    assert.include(judgeAudit({ ...chain, valid: false, fault: "key-missing" }).detail, "key-missing")
  })

  it("about circuits names those that let nothing through", () => {
    const summary = { total: 0, closed: 0, open: 0, halfOpen: 0, overridden: 0 }
    const counts = { consecutiveFailures: 0, failures: 0, successes: 0, rejections: 0, openings: 0 }
    const circuit = (key: string, state: "open" | "closed", mode?: "allow" | "block") => ({
      key,
      state,
      ...counts,
      ...(mode === undefined
        ? {}
        : {
            override: { mode, reason: "by hand", expiresAt: "2026-11-21T09:30:00.000Z", createdBy: "admin" }
          })
    })
    const judged = (...circuits: ReadonlyArray<ReturnType<typeof circuit>>) =>
      judgeCircuits({ summary, circuits, overrides: [] })
    assert.strictEqual(judged().status, "ok")
    assert.strictEqual(judged(circuit("a", "closed")).status, "ok")
    assert.strictEqual(judged(circuit("a", "open", "allow")).status, "ok")
    assert.include(judged(circuit("a", "open"), circuit("b", "closed")).detail, "calls fail: a")
    assert.include(judged(circuit("a", "open"), circuit("b", "closed", "block")).detail, "blocks b")
  })

  it("about workers names those that fail", () => {
    const at = "2026-11-21T09:30:00.000Z"
    const worker = (name: string, failures: number) => ({
      worker: name,
      startedAt: at,
      lastBeatAt: at,
      failures
    })
    assert.strictEqual(judgeWorkers([worker("a", 0)]).status, "ok")
    assert.include(judgeWorkers([worker("a", 0), worker("b", 3)]).detail, "b failed")
  })

  it("about Node depends on its age", () => {
    const misspelled = judgeVariables(
      ["SERVICE_PROT", "SERVICE_PORT", "PATH", "SERVICE_HOOK"],
      ["SERVICE_HOOK"]
    )
    assert.strictEqual(misspelled.status, "warn")
    assert.strictEqual(misspelled.detail, "SERVICE_PROT is no variable of Muster: did you mean SERVICE_PORT?")
    assert.strictEqual(judgeNode("20.12.0").status, "ok")
    assert.strictEqual(judgeNode("24.1.0").status, "ok")
    assert.strictEqual(judgeNode("18.20.1").status, "fail")
    assert.strictEqual(judgeNode("20.11.1").status, "fail")
  })

  it("about the clock depends on the distance, in both directions", () => {
    for (const sign of [1, -1]) {
      assert.strictEqual(judgeClock(0, sign * 4_000).status, "ok")
      assert.strictEqual(judgeClock(0, sign * 60_000).status, "warn")
      assert.strictEqual(judgeClock(0, sign * 3_600_000).status, "fail")
    }
    assert.include(judgeClock(60_000, 0).detail, "60 s ahead")
  })

  it("about the credential names what lets the request in", () => {
    const status = {
      enabled: true,
      authenticated: true,
      role: "read-only",
      method: "localhost-bypass",
      userId: "localhost",
      workspaceId: "default",
      permissions: [],
      setupRequired: false
    } as const
    const nobody = {
      url: "http://localhost:1",
      key: undefined,
      keySource: { _tag: "None", looked: [] },
      dataDirectory: "/"
    } as const
    assert.include(judgeCredential(nobody, status).detail, "localhost bypass: role read-only")
    const off = judgeCredential(nobody, { ...status, enabled: false, role: "admin" })
    assert.include(off.detail, "authentication is off: role admin")
  })

  it("about the lock never calls two servers fine", () => {
    const found = {
      directory: "/data",
      url: "http://localhost:3001",
      holder: { pid: 42, host: "here", startedAt: 0 },
      here: "here",
      alive: true,
      answers: true,
      listens: true
    }
    const judged = (difference: Partial<Parameters<typeof judgeLock>[0]>) =>
      judgeLock({ ...found, ...difference })
    assert.strictEqual(judged({}).status, "ok")
    assert.strictEqual(judged({ listens: false }).status, "fail")
    assert.include(judged({ listens: false }).detail, "two servers")
    assert.strictEqual(judged({ listens: undefined }).status, "warn")
    assert.strictEqual(judged({ answers: false }).status, "fail")
    assert.strictEqual(judged({ alive: false }).status, "warn")
    assert.strictEqual(judged({ alive: false, answers: false }).status, "ok")
    assert.strictEqual(judged({ here: "there" }).status, "warn")
    assert.strictEqual(judged({ holder: undefined }).status, "warn")
    assert.strictEqual(judged({ holder: undefined, answers: false }).status, "ok")
  })

  it("about a port reads the table of the system", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12345 1 0",
      "   1: 0100007F:0BB9 0100007F:8888 01 00000000:00000000 00:00000000 00000000  1000        0 99999 1 0",
      "   2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 54321 1 0"
    ].join("\n")
    assert.deepStrictEqual(listeningSockets(table, 3001), ["12345"])
    assert.deepStrictEqual(listeningSockets(table, 8080), ["54321"])
    assert.deepStrictEqual(listeningSockets("", 3001), [])
  })

  it("about a process knows one that only has the number of another", () => {
    const stat = (state: string, ticks: number) =>
      `42 (a (strange) name) ${state} 1 42 42 0 -1 4194560 1 0 0 0 1 0 0 0 20 0 11 0 ${ticks} 1 1`
    const [booted, locked] = [1_000_000, 1_060_000]
    assert.isTrue(canHold(stat("S", 5_900), booted, locked))
    assert.isFalse(canHold(stat("Z", 5_900), booted, locked))
    assert.isFalse(canHold(stat("S", 60_000), booted, locked))
  })

  it("about a process knows the living from the dead", () => {
    assert.isTrue(isAlive(process.pid))
    assert.isTrue(isAlive(1))
    assert.isFalse(isAlive(2_147_483_646))
  })
})
