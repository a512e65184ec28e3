import { createServer, type RequestListener } from "node:http"
import { createServer as createSocketServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import type { Allowance } from "../../../src/kernel/outbound/Address.ts"
import { failureThreshold } from "../../../src/kernel/outbound/Circuit.ts"
import { Circuits } from "../../../src/kernel/outbound/Circuits.ts"
import { Lookup } from "../../../src/kernel/outbound/Lookup.ts"
import { Outbound, type Request } from "../../../src/kernel/outbound/Outbound.ts"

const loopback: Allowance = { loopback: true, privateNetwork: false }
const publicOnly: Allowance = { loopback: false, privateNetwork: false }

const outbound = (allow: Allowance = loopback, names: Layer.Layer<Lookup> = Layer.effect(Lookup, Lookup)) =>
  Outbound.layer(allow).pipe(Layer.provide(names), Layer.provideMerge(Circuits.layer))

/** A name server that gives these answers one after another, and the last one for ever. */
const nameServer = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let asked = 0
  return Layer.succeed(Lookup, () =>
    Effect.sync(() => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? []
      asked += 1
      return answer.map((address) => ({
        address,
        family: address.includes(":") ? (6 as const) : (4 as const)
      }))
    })
  )
}

const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () => Effect.sync(() => server.close())
  )

/** A real server on this machine. */
const target = (answer: RequestListener) => {
  const server = createServer(answer)
  return Effect.tap(listening(server), () =>
    Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  )
}

const ask = (url: string, request: Partial<Request> = {}) =>
  Effect.flatMap(Outbound, ({ send }) => send({ circuit: "test", method: "GET", url, ...request }))

const reasonOf = <A, E extends { readonly _tag: string }, R>(asked: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(asked), (failure) =>
    "reason" in failure ? `${failure._tag} ${failure.reason}` : failure._tag
  )

describe("a request to somebody outside", () => {
  it.scopedLive("gets the answer, with what was sent", () =>
    Effect.gen(function* () {
      const port = yield* target(async (request, response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(Buffer.from(chunk))
        response.writeHead(201, { "x-seen": `${request.method} ${request.url} ${request.headers["x-a"]}` })
        response.end(Buffer.concat(chunks))
      })
      const answer = yield* ask(`http://127.0.0.1:${port}/a?b=c`, {
        method: "POST",
        headers: { "x-a": "1" },
        body: "héllo"
      })
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.text, "héllo")
      assert.strictEqual(answer.headers["x-seen"], "POST /a?b=c 1")
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("never goes to a name that leads inside, not even among addresses that are public", () =>
    Effect.gen(function* () {
      for (const inside of [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "::1",
        "::ffff:7f00:1",
        "64:ff9b::7f00:1"
      ]) {
        const refused = ask("http://rebind.example/").pipe(
          reasonOf,
          Effect.provide(outbound(publicOnly, nameServer(["93.184.216.34", inside])))
        )
        assert.match(yield* refused, /^AddressRefused /, inside)
      }
    })
  )

  it.scopedLive("goes to the address that was checked, whatever the name says a moment later", () =>
    Effect.gen(function* () {
      const port = yield* target((request, response) => response.end(request.headers.host))
      // The first answer is this server; a second look would lead to a metadata service.
      const answer = yield* ask(`http://rebind.example:${port}/`).pipe(
        Effect.provide(outbound(loopback, nameServer(["127.0.0.1"], ["169.254.169.254"])))
      )
      assert.strictEqual(answer.text, `rebind.example:${port}`)
    })
  )

  it.scopedLive("does not follow a redirect", () =>
    Effect.gen(function* () {
      let visits = 0
      const port = yield* target((request, response) => {
        visits += 1
        response.writeHead(302, { location: `http://${request.headers.host}/inside` }).end()
      })
      assert.strictEqual((yield* ask(`http://127.0.0.1:${port}/`)).status, 302)
      assert.strictEqual(visits, 1)
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("ends in time: before a connection, before an answer, and in the middle of one", () =>
    Effect.gen(function* () {
      const silent = yield* target(() => {})
      const dripping = yield* target((_, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write("."), 5)
        response.on("close", () => clearInterval(drip))
      })
      for (const port of [silent, dripping]) {
        const failure = yield* Effect.flip(ask(`http://127.0.0.1:${port}/`, { timeoutMs: 100 }))
        assert.deepInclude(failure, { _tag: "OutboundTimeout", sent: true })
      }
      const slowName = Layer.succeed(Lookup, () => Effect.never)
      const failure = yield* Effect.flip(ask("http://slow.example/", { timeoutMs: 50 })).pipe(
        Effect.provide(outbound(loopback, slowName))
      )
      assert.deepInclude(failure, { _tag: "OutboundTimeout", sent: false })
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("ends in time when the head of an answer drips, and when nobody reads what was sent", () =>
    Effect.gen(function* () {
      const head = yield* listening(
        createSocketServer((socket) => {
          socket.on("error", () => {})
          socket.write("HTTP/1.1 200 OK\r\n")
          const drip = setInterval(() => socket.write("x-drip: 1\r\n"), 5)
          socket.on("close", () => clearInterval(drip))
        })
      )
      const informing = yield* listening(
        createSocketServer((socket) => {
          socket.on("error", () => {})
          const drip = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 5)
          socket.on("close", () => clearInterval(drip))
        })
      )
      const deaf = yield* listening(
        createSocketServer((socket) => {
          socket.on("error", () => {})
          socket.pause()
        })
      )
      for (const port of [head, informing]) {
        const failure = yield* Effect.flip(ask(`http://127.0.0.1:${port}/`, { timeoutMs: 100 }))
        assert.deepInclude(failure, { _tag: "OutboundTimeout", sent: true })
      }
      const body = "x".repeat(16 * 1_048_576)
      const failure = yield* Effect.flip(
        ask(`http://127.0.0.1:${deaf}/`, { method: "POST", body, timeoutMs: 500 })
      )
      assert.deepInclude(failure, { _tag: "OutboundTimeout", sent: true })
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("ends in time for a caller that can't be interrupted, whatever the other side does", () =>
    Effect.gen(function* () {
      const silent = yield* target(() => {})
      const dripping = yield* target((_, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write("."), 5)
        response.on("close", () => clearInterval(drip))
      })
      for (const port of [silent, dripping]) {
        const asked = Effect.uninterruptible(ask(`http://127.0.0.1:${port}/`, { timeoutMs: 100 }))
        assert.deepInclude(yield* Effect.flip(asked), { _tag: "OutboundTimeout", sent: true })
      }
      const slowName = Layer.succeed(Lookup, () => Effect.never)
      const asked = Effect.uninterruptible(ask("http://slow.example/", { timeoutMs: 50 }))
      assert.deepInclude(yield* Effect.flip(asked).pipe(Effect.provide(outbound(loopback, slowName))), {
        _tag: "OutboundTimeout",
        sent: false
      })
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("lets the other side go when its time is over", () =>
    Effect.gen(function* () {
      const left = yield* Deferred.make<void>()
      const port = yield* target((request) => {
        request.socket.on("close", () => Deferred.unsafeDone(left, Effect.void))
      })
      yield* Effect.flip(Effect.uninterruptible(ask(`http://127.0.0.1:${port}/`, { timeoutMs: 100 })))
      yield* Deferred.await(left)
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("reads no more of an answer than it may", () =>
    Effect.gen(function* () {
      const port = yield* target((_, response) => {
        const flood = () => {
          while (response.write("x".repeat(65_536))) {}
        }
        response.on("drain", flood)
        flood()
      })
      const failure = yield* Effect.flip(ask(`http://127.0.0.1:${port}/`, { responseLimit: 100_000 }))
      assert.deepInclude(failure, { _tag: "ResponseTooLarge", limitBytes: 100_000 })
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("tells whether it may have arrived when the other side breaks off", () =>
    Effect.gen(function* () {
      const broken = yield* listening(
        createSocketServer((socket) => socket.once("data", () => socket.destroy()))
      )
      const noHttp = yield* listening(createSocketServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n")))
      for (const port of [broken, noHttp]) {
        const failure = yield* Effect.flip(ask(`http://127.0.0.1:${port}/`))
        assert.deepInclude(failure, { _tag: "Unreachable", sent: true })
      }
      const nobody = yield* Effect.scoped(listening(createSocketServer()))
      const failure = yield* Effect.flip(ask(`http://127.0.0.1:${nobody}/`))
      assert.deepInclude(failure, { _tag: "Unreachable", sent: false, reason: "ECONNREFUSED" })
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("closes its connection when nobody waits for it any more", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const left = yield* Deferred.make<void>()
      const port = yield* target((request) => {
        Deferred.unsafeDone(arrived, Effect.void)
        request.socket.on("close", () => Deferred.unsafeDone(left, Effect.void))
      })
      const asking = yield* Effect.fork(ask(`http://127.0.0.1:${port}/`))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(asking)
      yield* Deferred.await(left)
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("leaves a dependency alone that fails again and again, and no other", () =>
    Effect.gen(function* () {
      let visits = 0
      const port = yield* target((_, response) => {
        visits += 1
        response.writeHead(503).end()
      })
      const url = `http://127.0.0.1:${port}/`
      for (let time = 0; time < failureThreshold; time += 1) yield* ask(url)
      assert.strictEqual(yield* reasonOf(ask(url)), "CircuitOpen")
      assert.strictEqual(visits, failureThreshold)
      assert.strictEqual((yield* ask(url, { circuit: "other" })).status, 503)
    }).pipe(Effect.provide(outbound()))
  )

  it.scopedLive("does not hold a URL that is refused against a dependency", () =>
    Effect.gen(function* () {
      const { all } = yield* Circuits
      for (let time = 0; time < 2 * failureThreshold; time += 1) {
        assert.strictEqual(yield* reasonOf(ask("http://169.254.169.254/")), "AddressRefused metadata")
      }
      assert.deepInclude((yield* all)[0], { key: "test", failures: 0 })
    }).pipe(Effect.provide(outbound()))
  )
})
