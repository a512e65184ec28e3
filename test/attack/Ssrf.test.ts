import { createServer, type Server } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Layer, Redacted, Schema } from "effect"
import { environment } from "../../src/Config.ts"
import { endpointsOf } from "../../src/conversations/relay-access/Endpoints.ts"
import { webhookOf } from "../../src/conversations/teamchat/Webhook.ts"
import { publicOnly } from "../../src/kernel/outbound/Address.ts"
import { Circuits } from "../../src/kernel/outbound/Circuits.ts"
import { Lookup, type ResolvedAddress } from "../../src/kernel/outbound/Lookup.ts"
import { Outbound } from "../../src/kernel/outbound/Outbound.ts"
import { checkUrl } from "../../src/kernel/outbound/Target.ts"
import { urlText } from "../../src/kernel/UrlText.ts"
import { hostileUrls, insideAddresses } from "../kernel/outbound/HostileUrls.ts"
import { byForm, isLong } from "../support/Form.ts"
import { type Answer, World, world } from "../support/World.ts"

/*
 * Whether anybody outside can make the service call what is inside: the corpus of hostile URLs at every place that takes
 * one, and names, redirects and answers of name servers where a call is made. The one parser that all of them stand on
 * always gets the whole corpus; each place gets it in the full form, and a part of its own otherwise.
 */

/** Each place gets one URL of so many, and the next place the one after it. */
const stride = byForm({ short: 30, middle: 5, full: 1 })

/** How long a test may take that asks for every URL of the corpus at every place. */
const patience = isLong ? 900_000 : 30_000

/** The part of the corpus that a place gets. */
const partOf = <A>(all: ReadonlyArray<A>, place: number): ReadonlyArray<A> =>
  all.filter((_, index) => index % stride === place % stride)

/** Asks again until the answer fits. */
const eventually = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  fits: (answer: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(ask, (answer) =>
    fits(answer)
      ? Effect.succeed(answer)
      : Effect.zipRight(
          Effect.sleep("20 millis"),
          Effect.suspend(() => eventually(ask, fits))
        )
  )

/** The same place over https: some of what takes URLs refuses plain http before it looks where it leads. */
const encrypted = (url: string): string => url.replace(/^http:/, "https:")

const corpus = [...new Set(hostileUrls.flatMap((url) => [url, encrypted(url)]))]

const adapters = "/api/integrations/communication/adapters"

interface Place {
  readonly says: string
  readonly method: "POST" | "PUT" | "PATCH"
  readonly path: string
  readonly field: string
  readonly body: (url: string) => object
}

const hookOf = (url: string) => ({
  name: "A",
  event: "task.created",
  action: { type: "webhook", url }
})

const relayOf = (urls: object) => ({
  kind: "relay",
  displayName: "Relay",
  enabled: false,
  relayHttpUrl: "https://relay.example.com",
  ...urls
})

/** Every place of the interface that takes the address of something to call. */
const placesFor = (hookId: string): ReadonlyArray<Place> => [
  { says: "a hook", method: "POST", path: "/api/hooks", field: "action.url", body: hookOf },
  {
    says: "a hook that is changed",
    method: "PATCH",
    path: `/api/hooks/${hookId}`,
    field: "action.url",
    body: (url) => ({ action: hookOf(url).action })
  },
  {
    says: "a tracker",
    method: "PUT",
    path: "/api/integrations/trackers/connection",
    field: "baseUrl",
    body: (baseUrl) => ({ provider: "github", project: "acme/board", baseUrl })
  },
  {
    says: "a team chat",
    method: "PUT",
    path: `${adapters}/team`,
    field: "webhookUrl",
    body: (webhookUrl) => ({ kind: "teamchat", displayName: "Team", enabled: true, webhookUrl })
  },
  {
    says: "a relay",
    method: "PUT",
    path: `${adapters}/relay`,
    field: "relayHttpUrl",
    body: (relayHttpUrl) => relayOf({ relayHttpUrl })
  },
  {
    says: "a relay's socket",
    method: "PUT",
    path: `${adapters}/relay`,
    field: "relayWebSocketUrl",
    body: (relayWebSocketUrl) => relayOf({ relayWebSocketUrl })
  }
]

const fieldsOf = ({ body }: Answer): ReadonlyArray<string> =>
  body.details.issues.map(({ path }: { path: string }) => path)

const closed = { outbound: publicOnly }

/** Something inside that nobody outside may reach: it counts who comes. */
const canary = (answer?: (location: string) => number) =>
  Effect.gen(function* () {
    const seen = { connections: 0, requests: 0 }
    const server: Server = createServer((request, response) => {
      seen.requests += 1
      const status = answer?.(request.url ?? "") ?? 200
      response.writeHead(status, { location: `http://${request.headers.host}/inside` }).end("{}")
    })
    server.on("connection", () => {
      seen.connections += 1
    })
    const port = yield* Effect.acquireRelease(
      Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
        })
      }),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    return { port, seen }
  })

const resolved = (address: string): ResolvedAddress => ({ address, family: address.includes(":") ? 6 : 4 })

/** A name server whose answers a test chooses, one after another; the last one stays. */
const nameServer = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let asked = 0
  return Layer.succeed(Lookup, () =>
    Effect.sync(() => (answers[Math.min(asked++, answers.length - 1)] ?? []).map(resolved))
  )
}

const outbound = (names: Layer.Layer<Lookup>, allow = publicOnly) =>
  Outbound.layer(allow).pipe(Layer.provide(names), Layer.provideMerge(Circuits.layer))

const callTo = (url: string) =>
  Effect.flatMap(Outbound, ({ send }) =>
    Effect.flip(send({ circuit: url, method: "GET", url, timeoutMs: 500 }))
  )

describe("a URL that leads inside", () => {
  it("is one of over three hundred, and none of them passes the one place that reads addresses", () => {
    assert.isAbove(corpus.length, 300)
    const passed = corpus.filter((url) => Either.isRight(checkUrl(url, publicOnly)))
    assert.deepStrictEqual(passed, [])
  })

  it("passes none of those that read one for a field of their own", () => {
    const flags = { allowLocalhost: false, allowPrivateNetwork: false }
    const text = Schema.decodeUnknownEither(urlText(2_000))
    const readers = {
      teamchat: (url: string) => Either.isRight(webhookOf(url, flags)),
      relay: (url: string) => Either.isRight(endpointsOf(url, null, flags)),
      other: (url: string) => Either.isRight(checkUrl(url, publicOnly))
    }
    const passed = corpus.flatMap((url) => {
      const read = text(url)
      return Either.isLeft(read)
        ? []
        : Object.entries(readers).flatMap(([name, passes]) => (passes(read.right) ? [`${name}: ${url}`] : []))
    })
    assert.deepStrictEqual(passed, [])
  })

  it.scopedLive(
    "is refused wherever one is set, by the name of the field, and stored nowhere",
    () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { body: hook } = yield* request("POST", "/api/hooks", {
          as: "admin",
          body: hookOf("https://example.com/in")
        })
        const places = placesFor(hook.id)
        const passed: Array<string> = []
        for (const [index, { body, field, method, path, says }] of places.entries()) {
          for (const url of partOf(corpus, index)) {
            const answer = yield* request(method, path, { as: "admin", body: body(url) })
            const isRefused = answer.status === 400 && fieldsOf(answer).includes(field)
            if (!isRefused) passed.push(`${says}: ${JSON.stringify(url)} ${answer.status}`)
          }
        }
        assert.deepStrictEqual(passed, [])
        const hooks = yield* request("GET", "/api/hooks", { as: "admin" })
        assert.deepStrictEqual(hooks.body, [hook])
        assert.deepStrictEqual((yield* request("GET", adapters, { as: "admin" })).body, [])
        const tracker = yield* request("GET", "/api/integrations/trackers/connection", { as: "admin" })
        assert.isFalse(tracker.body.configured)
      }).pipe(Effect.provide(world(closed))),
    patience
  )

  it.effect("is refused in the environment", () =>
    Effect.gen(function* () {
      // A variable is trimmed, and one that says nothing is not set.
      for (const url of partOf(corpus, 28).filter((text) => text !== "" && text.trim() === text)) {
        const variables = { SERVICE_SEARCH_EMBEDDINGS_URL: url, SERVICE_OUTBOUND_ALLOW_LOOPBACK: "false" }
        const read = Effect.withConfigProvider(
          environment,
          ConfigProvider.fromMap(new Map(Object.entries(variables)))
        )
        assert.isTrue(Either.isLeft(yield* Effect.either(read)), JSON.stringify(url))
      }
    })
  )
})

describe("a name that leads inside", () => {
  it.scopedLive("is not called, whichever address it has, alone or among others", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* canary()
      const url = `http://rebind.example:${port}/`
      for (const address of insideAddresses) {
        for (const answer of [[address], ["93.184.216.34", address], [address, "93.184.216.34"]]) {
          const failure = yield* Effect.provide(callTo(url), outbound(nameServer(answer)))
          assert.strictEqual(failure._tag, "AddressRefused", answer.join())
        }
      }
      assert.strictEqual(seen.connections, 0)
    })
  )

  it.scopedLive("is not called when it led elsewhere a moment before", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* canary()
      const names = nameServer(["192.0.2.1"], ["127.0.0.1"])
      // 192.0.2.1 is for documents: it is refused, and what the name says next is asked by the next call alone.
      yield* callTo(`http://rebind.example:${port}/`).pipe(Effect.provide(outbound(names)))
      const second = yield* callTo(`http://rebind.example:${port}/`).pipe(Effect.provide(outbound(names)))
      assert.strictEqual(second._tag, "AddressRefused")
      assert.strictEqual(seen.connections, 0)
    })
  )

  it.scopedLive("is resolved once for a connection: a second answer is nobody's", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* canary()
      const { send } = yield* Outbound
      const { status } = yield* send({ circuit: "c", method: "GET", url: `http://rebind.example:${port}/` })
      assert.strictEqual(status, 200)
      assert.strictEqual(seen.requests, 1)
    }).pipe(
      Effect.provide(
        outbound(nameServer(["127.0.0.1"], ["169.254.169.254"]), { loopback: true, privateNetwork: false })
      )
    )
  )

  it.scopedLive("gets nothing of a hook, a team chat or a tracker that were set up with it", () => {
    const names = nameServer(["127.0.0.1"])
    return Effect.gen(function* () {
      const { port, seen } = yield* canary()
      const { request } = yield* World
      const admin = (method: string, path: string, body: object) =>
        Effect.tap(request(method, path, { as: "admin", body }), (answer) =>
          assert.isBelow(answer.status, 500, `${method} ${path}`)
        )
      const url = `https://rebind.example:${port}/in`
      const { body: hook } = yield* admin("POST", "/api/hooks", hookOf(url))
      yield* admin("POST", "/api/hooks/fire", { hookId: hook.id })
      const executions = Effect.map(
        request("GET", `/api/hooks/executions?hookId=${hook.id}`, { as: "admin" }),
        ({ body }) => body[0]
      )
      const over = yield* eventually(executions, ({ status }) => status === "failed")
      assert.strictEqual(over.error, "refused-loopback")
      const team = { kind: "teamchat", displayName: "Team", enabled: true, webhookUrl: url }
      yield* admin("PUT", `${adapters}/team`, team)
      const sent = yield* admin("POST", `${adapters}/team/send`, {
        target: { kind: "squad", squadMessageId: "msg_1" },
        message: "Hello",
        actor: "ann"
      })
      assert.strictEqual(sent.body.reasonCode, "network_policy_blocked")
      yield* admin("PUT", "/api/integrations/trackers/connection", {
        provider: "github",
        project: "acme/board",
        baseUrl: `https://rebind.example:${port}`
      })
      const read = yield* admin("POST", "/api/integrations/trackers/introspect", {
        provider: "github",
        project: "acme/board"
      })
      assert.strictEqual(read.body.details.reason, "refused-loopback")
      assert.strictEqual(seen.connections, 0)
    }).pipe(Effect.provide(Layer.provide(world(closed), names)))
  })
})

describe("a redirect", () => {
  it.scopedLive("leads nowhere, whatever its status and whoever is called", () =>
    Effect.gen(function* () {
      for (const status of [301, 302, 303, 307, 308]) {
        const { port, seen } = yield* canary((path) => (path === "/inside" ? 200 : status))
        const { send } = yield* Outbound
        for (const method of ["GET", "POST"] as const) {
          const answer = yield* send({ circuit: `${port}`, method, url: `http://127.0.0.1:${port}/out` })
          assert.strictEqual(answer.status, status)
        }
        assert.strictEqual(seen.requests, 2)
      }
    }).pipe(
      Effect.provide(
        Layer.provideMerge(Outbound.layer({ loopback: true, privateNetwork: false }), Circuits.layer)
      )
    )
  )
})

describe("the URL that a variable holds", () => {
  it.scopedLive("is judged when it is called, like any other", () => {
    const held = partOf(corpus, 29).filter((url) => url.trim() !== "")
    const secrets = new Map(held.map((url, index) => [`URL_${index}`, Redacted.make(url)]))
    return Effect.gen(function* () {
      const { request } = yield* World
      for (const name of [...secrets.keys()].slice(0, 100)) {
        const action = { type: "webhook", urlRef: `env:${name}` }
        const { status } = yield* request("POST", "/api/hooks", {
          as: "admin",
          body: { name, event: "task.archived", action }
        })
        assert.strictEqual(status, 201)
      }
      yield* request("POST", "/api/hooks/fire", { as: "admin", body: { event: "task.archived" } })
      const executions = Effect.map(
        request("GET", "/api/hooks/executions?limit=1000", { as: "admin" }),
        ({ body }) => body
      )
      const over = yield* eventually(executions, (all) =>
        all.every(({ status }: { status: string }) => status === "failed")
      )
      assert.strictEqual(over.length, Math.min(100, secrets.size))
      for (const { error } of over) assert.match(error, /^refused-/)
    }).pipe(Effect.provide(world({ ...closed, secrets })))
  })
})
