import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import type { EmbeddingsEndpoint } from "../../../src/insight/search/Embeddings.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { type Behaviour, embeddingsStandIn, promised } from "../../support/EmbeddingsStandIn.ts"
import { temporaryDirectory, World, type WorldOptions, world, worldIn } from "../../support/World.ts"

const ask = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(
      request(method, path, { as: "admin", ...(body === undefined ? {} : { body }) }),
      (answer) => answer.body
    )
  )

const create = (title: string) => Effect.map(ask("POST", "/api/tasks", { title }), ({ id }) => String(id))

const search = (query: string, backend = "semantic", more: Record<string, unknown> = {}) =>
  ask("POST", "/api/search", { query, backend, ...more })

const refresh = ask("POST", "/api/search/index/refresh", { embed: true })

const idsOf = ({ results }: { readonly results: ReadonlyArray<{ readonly id: string }> }) =>
  results.map(({ id }) => id)

const using = (endpoint: EmbeddingsEndpoint, backend: "keyword" | "semantic" = "keyword"): WorldOptions => ({
  search: { backend, docs: undefined, manual: undefined, embeddings: endpoint }
})

describe("a search by meaning", () => {
  it.scopedLive("finds what no word of the query is in, nearest first", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* embeddingsStandIn()
      yield* Effect.gen(function* () {
        const cats = yield* create("Buy food for the kitten")
        const cars = yield* create("Repair the engine")
        const both = yield* create("Drive the feline in the vehicle, mind the kitten")
        const done = yield* refresh
        assert.deepInclude(done, { embedded: 3, remaining: 0 })
        const answer = yield* search("cat")
        assert.deepInclude(answer, { backend: "semantic", degraded: false })
        assert.deepStrictEqual(idsOf(answer), [cats, both, cars])
        assert.approximately(answer.results[0].score, 1, 0.001)
        assert.deepStrictEqual(idsOf(yield* search("cat", "semantic", { limit: 1 })), [cats])
        assert.isFalse((yield* search("cat", "semantic", { collections: ["docs"] })).backend === "semantic")
        assert.deepInclude(yield* search("cat", "keyword"), { backend: "keyword", results: [] })
        assert.deepInclude(yield* search("cat", "auto"), { backend: "keyword", degraded: false })
      }).pipe(Effect.provide(world(using(endpoint))))
    })
  )

  it.scopedLive("is what auto means when the operator says so", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* embeddingsStandIn()
      yield* Effect.gen(function* () {
        yield* create("Bake a loaf")
        yield* refresh
        assert.deepInclude(yield* search("dough", "auto"), { backend: "semantic", degraded: false })
      }).pipe(Effect.provide(world(using(endpoint, "semantic"))))
    })
  )

  it.scopedLive("is given up for words, and says so, when nothing embeds", () =>
    Effect.gen(function* () {
      const id = yield* create("Bake bread")
      const answer = yield* search("bread")
      assert.deepInclude(answer, { backend: "keyword", degraded: true })
      assert.deepStrictEqual(idsOf(answer), [id])
      assert.deepInclude(yield* refresh, { embedded: 0, remaining: 0 })
    }).pipe(Effect.provide(world()))
  )

  const broken: ReadonlyArray<readonly [string, Behaviour]> = [
    ["answers 500", (response) => response.writeHead(500).end()],
    ["refuses the key", (response) => response.writeHead(401).end('{"error":"sk-embeddings-key is wrong"}')],
    ["answers no JSON", (response) => response.end("<html>")],
    ["leaves texts out", (response) => response.end('{"data":[]}')],
    ["sends what is no number", (response) => response.end('{"data":[{"index":0,"embedding":["x"]}]}')],
    ["hangs up", (response) => response.destroy()]
  ]
  for (const [what, behaviour] of broken) {
    it.scopedLive(`is given up for words when the endpoint ${what}`, () =>
      Effect.gen(function* () {
        const { endpoint } = yield* embeddingsStandIn(behaviour)
        yield* Effect.gen(function* () {
          const id = yield* create("Bake bread")
          const refreshed = yield* refresh
          assert.deepInclude(refreshed, {
            embedded: 0,
            remaining: 1,
            commands: ["muster reindex --embed"]
          })
          const answer = yield* search("bread")
          assert.deepInclude(answer, { backend: "keyword", degraded: true })
          assert.deepStrictEqual(idsOf(answer), [id])
          assert.notInclude(JSON.stringify([refreshed, answer]), "sk-embeddings-key")
        }).pipe(Effect.provide(world(using(endpoint))))
      })
    )
  }

  it.scopedLive("is given up for words soon when the endpoint hangs", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* embeddingsStandIn(() => {})
      yield* Effect.gen(function* () {
        const id = yield* create("Bake bread")
        const answer = yield* search("bread")
        assert.deepInclude(answer, { backend: "keyword", degraded: true })
        assert.deepStrictEqual(idsOf(answer), [id])
        assert.isBelow(answer.elapsedMs, 10_000)
      }).pipe(Effect.provide(world(using(endpoint))))
    })
  )

  it.scopedLive(
    "keeps what was embedded before the endpoint failed, and goes on from there after a restart",
    () =>
      Effect.gen(function* () {
        let requests = 0
        const { arrivals, endpoint } = yield* embeddingsStandIn((response, arrival) => {
          requests += 1
          return requests === 2 ? response.writeHead(503).end() : promised(response, arrival)
        })
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          for (let index = 0; index < 40; index++) yield* create(`Bake loaf ${index}`)
          assert.deepInclude(yield* refresh, { embedded: 32, remaining: 8 })
        }).pipe(Effect.provide(worldIn(directory, using(endpoint))))
        yield* Effect.gen(function* () {
          assert.deepInclude(yield* refresh, { embedded: 8, remaining: 0, commands: [] })
        }).pipe(Effect.provide(worldIn(directory, using(endpoint))))
        const sent = [...(yield* Queue.takeAll(arrivals))].map(({ body }) => body.input)
        assert.deepStrictEqual(
          sent.map(({ length }) => length),
          [32, 8, 8]
        )
        assert.strictEqual(new Set([...sent[0], ...sent[2]]).size, 40)
      })
  )

  it.scopedLive("embeds all others when the endpoint does not take one of the texts", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* embeddingsStandIn((response, arrival) =>
        arrival.body.input.some((text: string) => text.includes("poison"))
          ? response.writeHead(400).end('{"error":"too long"}')
          : promised(response, arrival)
      )
      yield* Effect.gen(function* () {
        yield* create("Bake poison")
        for (let index = 0; index < 40; index++) yield* create(`Bake loaf ${index}`)
        assert.deepInclude(yield* refresh, { embedded: 40, remaining: 1 })
        assert.deepInclude(yield* search("oven"), { backend: "semantic", degraded: false })
      }).pipe(Effect.provide(world(using(endpoint))))
    })
  )

  it.scopedLive("stops asking an endpoint that takes nothing", () =>
    Effect.gen(function* () {
      const { arrivals, endpoint } = yield* embeddingsStandIn((response) => response.writeHead(400).end())
      yield* Effect.gen(function* () {
        for (let index = 0; index < 40; index++) yield* create(`Bake loaf ${index}`)
        assert.deepInclude(yield* refresh, { embedded: 0, remaining: 40 })
        assert.isBelow(yield* arrivals.size, 64)
      }).pipe(Effect.provide(world(using(endpoint))))
    })
  )

  it.scopedLive("does not compare vectors of another length", () =>
    Effect.gen(function* () {
      let dimensions = 3
      const { endpoint } = yield* embeddingsStandIn((response, { body }) => {
        const data = body.input.map((_: string, index: number) => ({
          index,
          embedding: Array.from({ length: dimensions }, () => 1)
        }))
        response.end(JSON.stringify({ data }))
      })
      yield* Effect.gen(function* () {
        yield* create("Bake bread")
        yield* refresh
        dimensions = 5
        assert.deepInclude(yield* search("bread"), { backend: "keyword", degraded: true })
      }).pipe(Effect.provide(world(using(endpoint))))
    })
  )

  it.scopedLive("embeds what is new or has changed, nothing twice, also after a restart", () =>
    Effect.gen(function* () {
      const { arrivals, endpoint } = yield* embeddingsStandIn()
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        const id = yield* create("Bake bread")
        yield* create("Repair the car")
        assert.deepInclude(yield* refresh, { embedded: 2 })
        assert.deepInclude(yield* refresh, { embedded: 0 })
        yield* ask("PATCH", `/api/tasks/${id}`, { title: "Bake rolls" })
        assert.deepInclude(yield* refresh, { embedded: 1 })
      }).pipe(Effect.provide(worldIn(directory, using(endpoint))))
      yield* Effect.gen(function* () {
        assert.deepInclude(yield* refresh, { embedded: 0 })
        const { select } = yield* Storage
        const rows = yield* select((sql) => sql`SELECT * FROM audit`)
        assert.notInclude(JSON.stringify(rows), "sk-embeddings-key")
      }).pipe(Effect.provide(worldIn(directory, using(endpoint))))
      const sent = [...(yield* Queue.takeAll(arrivals))]
      assert.strictEqual(sent.flatMap(({ body }) => body.input).length, 3)
      assert.deepInclude(sent[0]?.body, { model: "counting-1" })
      assert.strictEqual(sent[0]?.headers.authorization, "Bearer sk-embeddings-key")
    })
  )
})
