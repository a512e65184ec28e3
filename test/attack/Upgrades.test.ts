import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Duration, Effect, Random, Schedule } from "effect"
import { byForm } from "../support/Form.ts"
import * as Process from "../support/Process.ts"
import { say } from "../support/RawSocket.ts"
import { send, temporaryDirectory } from "../support/World.ts"

/** Targets at which one parser or another has thrown, been led elsewhere, or gone round in circles. */
const targets = [
  "//",
  "///",
  "//evil.example.com/ws",
  "http://[",
  "http://",
  "http://localhost:99999999/ws",
  "http://evil.example.com/ws",
  "https://localhost/ws",
  "ws://localhost/ws",
  "/\\",
  "\\",
  "/ws\\..",
  "/ws?afterSequence=abc",
  "/ws?afterSequence=-1",
  "/ws?afterSequence=1e9",
  "/ws?afterSequence=9999999999999999",
  "/ws?api_key=%",
  "/ws?api_key=%E0%A4%A",
  "/ws?%00=%00",
  "/%",
  "/%ff%fe",
  "/..%2f..%2fws",
  "*",
  "?",
  "#",
  "ws",
  "a:b",
  ":",
  "@",
  "/ws#/ws",
  "/\u00e9\u00ff",
  `/${"a".repeat(8_000)}`,
  `/ws?${"a=b&".repeat(2_000)}`
]

const hosts = [
  "a b",
  "",
  "[",
  "[::1",
  "]:80",
  "localhost:99999999",
  "localhost:port",
  "user@localhost",
  "localhost/",
  "localhost#",
  "local\thost",
  "\u00ff",
  "%",
  "evil.example.com",
  "h".repeat(4_000)
]

const request = (lines: ReadonlyArray<string>) => Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1")

const upgrade = (target: string, host: string, more: ReadonlyArray<string> = []) =>
  request([
    `GET ${target} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...more
  ])

/** What is said to the server, by the class of what is wrong with it. */
const corpus: ReadonlyArray<readonly [string, Uint8Array]> = [
  ...targets.map((target) => [`the target ${target.slice(0, 40)}`, upgrade(target, "localhost")] as const),
  ...hosts.map((host) => [`the host ${host.slice(0, 40)}`, upgrade("/ws", host)] as const),
  ["two hosts", upgrade("/ws", "localhost", ["Host: evil.example.com"])],
  ["the key twice", upgrade("/ws", "localhost", ["Sec-WebSocket-Key: x"])],
  ["an origin that is no origin", upgrade("/ws", "localhost", ["Origin: http://["])],
  ["a body that never comes", upgrade("/ws", "localhost", ["Content-Length: 10"])],
  ["a body and chunks", upgrade("/ws", "localhost", ["Content-Length: 1", "Transfer-Encoding: chunked"])],
  [
    "extensions that no one knows",
    upgrade("/ws", "localhost", [`Sec-WebSocket-Extensions: ${";,=".repeat(999)}`])
  ],
  ["a cookie of broken bytes", upgrade("/ws", "localhost", ["Cookie: service_session=\u00ff%00"])],
  ["a protocol that is no token", upgrade("/ws", "localhost", ["Sec-WebSocket-Protocol: \u00e9,,"])],
  ["CONNECT", request(["CONNECT localhost:80 HTTP/1.1", "Host: localhost:80"])],
  ["PRI of HTTP/2", Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")],
  ["nothing at all", new Uint8Array()],
  ["half a request line", Buffer.from("GET /he")],
  ["half a body", request(["POST /api/tasks HTTP/1.1", "Host: localhost", "Content-Length: 9"])],
  ["TLS", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
  ["no text", Buffer.from([0, 255, 254, 13, 10, 13, 10])],
  ["headers without an end", Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\nA: ${"a".repeat(17_000)}`)],
  ["a request line that is none", Buffer.from("GET\r\n\r\n")],
  ["an unknown expectation", request(["GET / HTTP/1.1", "Host: a b", "Expect: miracles"])]
]

/** How many descriptors a process holds. */
const descriptors = (pid: number) => Effect.sync(() => readdirSync(`/proc/${pid}/fd`).length)

/** Bytes that nobody has thought of, most of them beginning like an upgrade. */
const noise = (index: number) =>
  Effect.gen(function* () {
    const bytes = upgrade("/ws", "localhost")
    const from = yield* Random.nextIntBetween(0, bytes.length)
    const length = yield* Random.nextIntBetween(1, 20)
    const some = yield* Effect.forEach(Arr.range(1, length), () => Random.nextIntBetween(0, 256))
    return Buffer.concat([bytes.subarray(0, from), Buffer.from(some), bytes.subarray(from + (index % 9))])
  })

describe("a server that is asked for another protocol", () => {
  it.scopedLive(
    "outlives every way to ask, ends the connection, and keeps no descriptor",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const server = yield* Process.start(directory)
        const before = yield* descriptors(server.pid)
        const outlive = ([what, said]: (typeof corpus)[number]) =>
          Effect.gen(function* () {
            const { ended } = yield* say(server.port, said)
            const heard = yield* Effect.timeoutTo(ended, {
              duration: "25 seconds",
              onSuccess: (said) => said,
              onTimeout: () => `The connection stays open after ${what}`
            })
            assert.match(heard, /^$|^HTTP\/1\.1 (?:4\d\d|200|503)/, what)
            assert.notInclude(heard, "101 Switching", what)
            assert.strictEqual((yield* send(server.baseUrl, "GET", "/health")).status, 200, what)
          })
        yield* Effect.forEach(corpus, (attempt) => Effect.scoped(outlive(attempt)), { concurrency: 16 })
        const seed = yield* Random.nextIntBetween(0, 1_000_000)
        yield* Effect.forEach(Arr.range(1, byForm({ short: 100, middle: 1_000, full: 5_000 })), (index) =>
          Effect.scoped(
            Effect.flatMap(noise(index), (said) =>
              Effect.andThen(say(server.port, said), (it) => it.socket.end())
            )
          )
        ).pipe(Effect.withRandom(Random.make(seed)))
        assert.strictEqual((yield* send(server.baseUrl, "GET", "/health")).status, 200, `seed ${seed}`)
        // What the server keeps for itself may vary by a few; that of a hundred connections would not.
        yield* descriptors(server.pid).pipe(
          Effect.repeat({ until: (now) => now <= before + 8, schedule: Schedule.spaced("200 millis") }),
          Effect.timeout(Duration.seconds(30))
        )
      }),
    120_000
  )
})
