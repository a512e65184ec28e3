import { shownEndpoint } from "../relay/config/Endpoints.ts"
import type { Adapter } from "./Adapter.ts"

/** An adapter as it is shown: without what may be a secret in the path of a relay's address. */
export const shownAdapter = (adapter: Adapter): Adapter =>
  adapter.kind === "relay"
    ? {
        ...adapter,
        relayHttpUrl: shownEndpoint(adapter.relayHttpUrl),
        relayWebSocketUrl:
          adapter.relayWebSocketUrl === null ? null : shownEndpoint(adapter.relayWebSocketUrl)
      }
    : adapter
