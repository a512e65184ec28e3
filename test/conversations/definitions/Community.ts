import { Effect } from "effect"
import { identities } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import type { RelayOptions } from "../../support/relay/Settings.ts"
import { type As, World } from "../../support/World.ts"
import { adapterBody } from "../relay/Bridged.ts"

export const adapterPath = "/api/integrations/communication/adapters/community"

/** A relay, and an adapter that was found to work with it. */
export const community = (options: RelayOptions = {}) =>
  Effect.gen(function* () {
    const running = yield* relay(options)
    const { request } = yield* World
    const ask = (method: string, path: string, body?: unknown, as: As = "admin") =>
      request(method, `${adapterPath}${path}`, { as, ...(body === undefined ? {} : { body }) })
    yield* ask("PUT", "", adapterBody(running.url))
    yield* ask("POST", "/test")

    const preview = (coordinate: object, action: string, targetId?: string) =>
      ask("POST", "/relay/definitions/preview", {
        coordinate,
        action,
        ...(targetId === undefined ? {} : { targetId })
      })
    /** Imports what a preview shows. */
    const imported = (coordinate: object, action: string, targetId?: string) =>
      Effect.gen(function* () {
        const { body } = yield* preview(coordinate, action, targetId)
        return yield* importAs(coordinate, action, body, targetId)
      })
    const importAs = (
      coordinate: object,
      action: string,
      expected: { readonly expectedEventId: string; readonly expectedLocalRevision: string },
      targetId?: string
    ) =>
      ask("POST", "/relay/definitions/import", {
        coordinate,
        action,
        expectedEventId: expected.expectedEventId,
        expectedLocalRevision: expected.expectedLocalRevision,
        ...(targetId === undefined ? {} : { targetId })
      })
    const list = Effect.map(ask("GET", "/relay/definitions"), ({ body }) => body)
    const links = Effect.map(ask("GET", "/relay/definitions/links"), ({ body }) => body)
    return { relay: running, ask, request, preview, imported, importAs, list, links }
  })

/** The coordinate of a persona, or of a team, of Alice's unless it is somebody else's. */
export const persona = (dTag: string, by = identities.alice) => ({
  authorPubkey: by.publicKey,
  kind: 30175,
  dTag
})
export const team = (dTag: string, by = identities.alice) => ({
  authorPubkey: by.publicKey,
  kind: 30176,
  dTag
})
