import type { ServerResponse } from "node:http"
import { Effect, Redacted } from "effect"
import type { EmbeddingsEndpoint } from "../../src/insight/search/Embeddings.ts"
import { type Arrival, target } from "./Target.ts"

/** What a text is about, as far as the stand-in understands: one dimension for each of these families of words. */
const families: ReadonlyArray<RegExp> = [
  /cat|kitten|feline/gi,
  /car|vehicle|engine|wheel/gi,
  /bread|dough|oven|bak/gi
]

/** A vector of how often each family occurs, and a little of everything so that it has a length. */
export const vectorOf = (text: string): ReadonlyArray<number> =>
  families.map((family) => (text.match(family)?.length ?? 0) + 0.01)

/** What the stand-in does with a request; it answers as the API promises unless it is told otherwise. */
export type Behaviour = (response: ServerResponse, arrival: Arrival) => void

/** Embeds as the API promises. */
export const promised: Behaviour = (response, { body }) => {
  const data = (body.input as ReadonlyArray<string>).map((text, index) => ({
    index,
    embedding: vectorOf(text)
  }))
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify({ object: "list", data: data.reverse(), model: body.model }))
}

/**
 * A stand-in for an embeddings endpoint, which this machine can't reach: a real HTTP server that speaks OpenAI's API and
 * embeds by counting words.
 */
export const embeddingsStandIn = (behaviour: Behaviour = promised) =>
  Effect.map(target(behaviour), ({ arrivals, url }) => ({
    arrivals,
    endpoint: {
      url: `${url}/v1/embeddings`,
      model: "counting-1",
      key: Redacted.make("sk-embeddings-key")
    } satisfies EmbeddingsEndpoint
  }))
