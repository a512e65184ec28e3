import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Context, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import { Api } from "../../src/Api.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import { Program, type Settings } from "../../src/Program.ts"
import { Storage } from "../../src/storage/Storage.ts"

/** The keys of every test world, one for each role. */
export const keys = { admin: "admin-key", agent: "agent-key", "read-only": "reader-key" } as const
export type As = keyof typeof keys

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body: parsed when it is JSON, text otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

export interface RequestOptions {
  readonly as?: As | null
  readonly body?: unknown
  /** A body that is sent as it is. */
  readonly raw?: string | Uint8Array
  readonly headers?: Record<string, string>
}

const clientAs = (baseUrl: string, as: As) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", keys[as]))
  })

type Client = Effect.Effect.Success<ReturnType<typeof clientAs>>

/** A whole running system of its own: data directory, database, HTTP on a free port. */
export class World extends Context.Tag("test/World")<
  World,
  {
    readonly baseUrl: string
    readonly directory: string
    /** The typed client of the contract, through real HTTP. */
    readonly client: (as?: As) => Effect.Effect<Client>
    /** A raw request; as the agent unless it says otherwise. */
    readonly request: (method: string, path: string, options?: RequestOptions) => Effect.Effect<Answer>
  }
>() {}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sends a raw request. */
export const send = (
  baseUrl: string,
  method: string,
  path: string,
  options?: RequestOptions
): Effect.Effect<Answer> => Effect.promise(() => sendNow(baseUrl, method, path, options))

const sendNow = async (
  baseUrl: string,
  method: string,
  path: string,
  { as = "agent", body, headers, raw }: RequestOptions = {}
): Promise<Answer> => {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(as === null ? {} : { "x-api-key": keys[as] }),
      ...(content === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(content === undefined ? {} : { body: content })
  })
  return { status: response.status, headers: response.headers, body: parse(await response.text()) }
}

/** What a test may choose about its world. */
export type WorldOptions = Partial<Omit<Settings, "auth">> & { readonly auth?: Partial<Settings["auth"]> }

/** The key of `identities.bridge`: what adapters to the test relay sign with. */
const bridgeKey = Redacted.make(createHash("sha256").update("an identity of the tests: bridge").digest("hex"))

/** The settings of a test world. */
export const testSettings = (directory: string, options: WorldOptions = {}): Settings => ({
  directory,
  host: "127.0.0.1",
  port: 0,
  access: { allowedHosts: [], allowedOrigins: [] },
  outbound: { loopback: true, privateNetwork: false },
  secrets: new Map([["RELAY_PRIVATE_KEY", bridgeKey]]),
  sqlite: { topology: "single-host", hostId: "test-host" },
  worktrees: { directory: undefined, editor: ["true"], trashDays: 7 },
  search: { backend: "keyword", docs: undefined, manual: undefined, embeddings: undefined },
  ...options,
  auth: {
    enabled: true,
    adminKey: Redacted.make(keys.admin),
    apiKeys: [
      { name: "codex", key: Redacted.make(keys.agent), role: "agent" },
      { name: "reader", key: Redacted.make(keys["read-only"]), role: "read-only" }
    ],
    localhostBypass: false,
    localhostRole: "read-only",
    signingSecret: undefined,
    ...options.auth
  }
})

/** A directory that is gone when the test is over. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "muster-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** The bytes of a database that is new: to write them costs a twentieth of what all the changes of the schema cost. */
const newDatabase = Effect.runSync(
  Effect.cached(
    Effect.scoped(
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const { sqlite } = testSettings(directory)
        const storage = Storage.layerSqlite({ directory, ...(sqlite === undefined ? {} : { sqlite }) })
        yield* Effect.scoped(Layer.build(Layer.provide(storage, NodeContext.layer)))
        return readFileSync(join(directory, "muster.db"))
      })
    )
  )
)

/** A fresh world. Its services are visible too, for tests that look behind the API. */
export const world = (options: WorldOptions = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, "muster.db"), yield* newDatabase, { mode: 0o600 })
      return worldIn(directory, options)
    })
  )

/** What a test reaches of a server that listens at an address, whichever process it runs in. */
export const worldAt = (baseUrl: string, directory: string) =>
  World.of({
    baseUrl,
    directory,
    client: (as: As = "agent") => Effect.provide(clientAs(baseUrl, as), FetchHttpClient.layer),
    request: (method, path, request) => send(baseUrl, method, path, request)
  })

/** A world on a directory that outlives it: for restarts. */
export const worldIn = (directory: string, options: WorldOptions = {}) =>
  Layer.effect(
    World,
    Effect.map(ServerAddress, ({ port }) => worldAt(`http://127.0.0.1:${port}`, directory))
  ).pipe(
    Layer.provideMerge(Program(testSettings(directory, options))),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None))
  )
