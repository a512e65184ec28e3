import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { Clock, Effect, Either, Schema } from "effect"
import { inTime, understand } from "../../client/Client.ts"
import type { Connection, KeySource } from "../../client/Connection.ts"
import { tell } from "../../client/Failure.ts"
import { staying } from "../../client/RefuseRedirects.ts"
import { AuthApi, type AuthStatus } from "../../identity/auth/Api.ts"
import { Degraded, Ready } from "../../insight/health/Readiness.ts"
import { asking, findingOf } from "./AskServer.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

/** How far two clocks may be apart before the doctor warns and before it fails, in milliseconds. */
const noticedSkew = 5_000
const harmfulSkew = 300_000

/** Whether the clocks agree. Leases and expiries are on the server's clock, what an agent reports is on its own. */
export const judgeClock = (here: number, there: number): Check => {
  const apart = Math.abs(here - there)
  const detail = `this machine is ${Math.round(apart / 1_000)} s ${here > there ? "ahead of" : "behind"} the server`
  const remedy = "Let both machines keep time with NTP"
  if (apart > harmfulSkew) return fail("clock", detail, remedy)
  return apart > noticedSkew
    ? warn("clock", detail, remedy)
    : ok("clock", "this machine and the server agree")
}

/** Checks that the server answers, and how far its clock is off. */
export const checkAddress = (url: string) =>
  Effect.gen(function* () {
    const http = staying(yield* HttpClient.HttpClient)
    const before = yield* Clock.currentTimeMillis
    const answer = yield* http.get(`${url}/health/live`).pipe(
      Effect.tap((response) => response.text),
      inTime(url),
      Effect.mapError(understand(url)),
      Effect.either
    )
    const after = yield* Clock.currentTimeMillis
    if (Either.isLeft(answer)) {
      const { happened, remedy } = tell(answer.left)
      return { answers: false, checks: [fail("address", happened, remedy ?? "Start the server")] }
    }
    const { headers, status } = answer.right
    if (status !== 200) {
      const detail = `${url} answers ${status} to /health/live`
      return {
        answers: false,
        checks: [fail("address", detail, "Set SERVICE_API_URL to the base address of a Muster server")]
      }
    }
    const there = Date.parse(headers["date"] ?? "")
    // The header has whole seconds: adding half a second is the best guess.
    const clock = Number.isNaN(there) ? [] : [judgeClock((before + after) / 2, there + 500)]
    return { answers: true, checks: [ok("address", `${url} answers in ${after - before} ms`), ...clock] }
  })

const remedies: Readonly<Record<string, string>> = {
  disk: "Make room on the disk of the data directory: until then the server takes no new work",
  memory: "Start the server again; give it more with NODE_OPTIONS=--max-old-space-size if it happens again"
}

const Readiness = Schema.Union(Ready, Degraded)

/**
 * Whether the server is ready: a finding for each of its own checks. A 503 is a valid answer here, but the client of
 * the contract would take it for the failure of a proxy.
 */
export const checkHealth = (connection: Connection) =>
  Effect.gen(function* () {
    const http = staying(yield* HttpClient.HttpClient)
    const response = yield* http.get(`${connection.url}/health/ready`)
    const { checks } = yield* HttpClientResponse.schemaBodyJson(Readiness)(response)
    return Object.entries(checks).map(([name, check]) =>
      check.status === "ok"
        ? ok(`health: ${name}`, "ok")
        : fail(
            `health: ${name}`,
            check.detail ?? check.status,
            remedies[name] ?? "The log of the server tells more"
          )
    )
  }).pipe(findingOf("health", connection))

const sourceText = (source: KeySource): string =>
  source._tag === "File" ? source.file : source._tag === "Environment" ? source.name : "no key"

/** Checks that the server knows the key, and shows its role. */
export const judgeCredential = (connection: Connection, status: typeof AuthStatus.Type): Check => {
  const { key, keySource } = connection
  const name = "credential"
  if (status.authenticated) {
    const how =
      key === undefined ? (status.enabled ? "localhost bypass" : "authentication is off") : undefined
    return ok(name, `${how ?? `the key of ${sourceText(keySource)}`}: role ${status.role}`)
  }
  if (key === undefined) {
    const looked =
      keySource._tag === "None" && keySource.looked.length > 0
        ? ` (looked in ${keySource.looked.join(", ")})`
        : ""
    return fail(
      name,
      `there is no key${looked}`,
      "Set SERVICE_API_KEY, or SERVICE_DATA_DIR to the directory of the server: the first start leaves its key there"
    )
  }
  return fail(
    name,
    `the server does not know the key of ${sourceText(keySource)}`,
    "Set SERVICE_API_KEY to a key of this server, and SERVICE_DATA_DIR to its directory"
  )
}

export const checkCredential = (connection: Connection) =>
  asking("credential", connection, (call) =>
    Effect.map(
      call(AuthApi, ({ auth }) => auth.status()),
      (status) => [judgeCredential(connection, status)]
    )
  )
