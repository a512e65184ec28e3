import { Event, loadWasmAsync } from "@rust-nostr/nostr-sdk"

/**
 * Verifies an event with an implementation that shares no code with nostr-tools or with the engine: the JavaScript
 * build of the Rust library that relays of the family use. What it can't even parse is no event.
 */
export const judge = async (event: object): Promise<boolean> => {
  await loadWasmAsync()
  try {
    return Event.fromJson(JSON.stringify(event)).verify()
  } catch {
    return false
  }
}
