import { Context, Data, Effect, Layer, Redacted, Schema } from "effect"
import { Circuits } from "../../kernel/outbound/Circuits.ts"
import { Outbound } from "../../kernel/outbound/Outbound.ts"

/**
 * Texts have not been embedded. The reason names nothing secret; `refused` tells that the endpoint works and does not take
 * these texts, so that others may do better.
 */
export class EmbeddingsUnavailable extends Data.TaggedError("EmbeddingsUnavailable")<{
  readonly reason: string
  readonly refused?: boolean
}> {
  override get message() {
    return `Texts can't be embedded: ${this.reason}`
  }
}

/** An endpoint that embeds texts, as OpenAI's API does it. */
export interface EmbeddingsEndpoint {
  readonly url: string
  readonly model: string
  readonly key: Redacted.Redacted | undefined
}

/** The circuit of the endpoint. */
export const embeddingsCircuit = "search:semantic"

/** How large an answer may be. */
const responseLimit = 16 * 1_048_576

/** How an endpoint says that it does not take a request as it is. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422])

/** Turns texts into vectors whose closeness is closeness in meaning. */
export interface EmbeddingsService {
  /** The model that embeds; undefined when nothing does. */
  readonly model: string | undefined
  /** The vector of each text, of length 1. The whole answer must come within this many milliseconds. */
  readonly embed: (
    texts: ReadonlyArray<string>,
    timeoutMs: number
  ) => Effect.Effect<ReadonlyArray<Float32Array>, EmbeddingsUnavailable>
}

export class Embeddings extends Context.Tag("muster/Embeddings")<Embeddings, EmbeddingsService>() {
  /** Nothing embeds: the default. */
  static readonly off = Layer.succeed(Embeddings, {
    model: undefined,
    embed: () => new EmbeddingsUnavailable({ reason: "no endpoint is configured" })
  })

  /** An OpenAI-compatible endpoint. */
  static readonly layerHttp = ({ key, model, url }: EmbeddingsEndpoint) =>
    Layer.effect(
      Embeddings,
      Effect.gen(function* () {
        const outbound = yield* Outbound
        const circuits = yield* Circuits
        yield* circuits.register(embeddingsCircuit)
        return Embeddings.of({
          model,
          embed: Effect.fn("Embeddings.embed")(function* (input, timeoutMs) {
            const { status, text } = yield* outbound
              .send({
                circuit: embeddingsCircuit,
                method: "POST",
                url,
                headers: {
                  "content-type": "application/json",
                  ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` })
                },
                body: JSON.stringify({ model, input }),
                timeoutMs,
                responseLimit
              })
              .pipe(Effect.mapError(({ message }) => new EmbeddingsUnavailable({ reason: message })))
            if (status !== 200) {
              const reason = `it answered ${status}`
              return yield* new EmbeddingsUnavailable({ reason, refused: refusals.has(status) })
            }
            const { data } = yield* Effect.mapError(
              decode(text),
              () => new EmbeddingsUnavailable({ reason: "its answer is not what the API promises" })
            )
            if (data.length !== input.length) {
              return yield* new EmbeddingsUnavailable({ reason: "it left texts out" })
            }
            return [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => unit(embedding))
          })
        })
      })
    )

  /** What the configuration says: an endpoint, or nothing. */
  static readonly layer = (endpoint: EmbeddingsEndpoint | undefined) =>
    endpoint === undefined ? Embeddings.off : Embeddings.layerHttp(endpoint)
}

const decode = Schema.decodeUnknown(
  Schema.parseJson(
    Schema.Struct({
      data: Schema.Array(
        Schema.Struct({
          index: Schema.Int,
          embedding: Schema.Array(Schema.Finite).pipe(Schema.minItems(1), Schema.maxItems(8_192))
        })
      )
    })
  )
)

/** A vector of the same direction and of length 1, so that a product is a cosine. */
export const unit = (values: ReadonlyArray<number>): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
}
