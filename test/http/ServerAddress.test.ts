import { assert, describe, it } from "@effect/vitest"
import { shownHost } from "../../src/http/Server.ts"

describe("The address that the greeting shows", () => {
  it("leads to where the server listens, on machines that know localhost as 127.0.0.1 alone too", () => {
    const shown = ["127.0.0.1", "::1", "0.0.0.0", "::", "fd00::7", "localhost", "board.example.com"].map(
      (host) => new URL(`http://${shownHost(host)}:3001`).host
    )
    assert.deepStrictEqual(shown, [
      "localhost:3001",
      "[::1]:3001",
      "0.0.0.0:3001",
      "[::]:3001",
      "[fd00::7]:3001",
      "localhost:3001",
      "board.example.com:3001"
    ])
  })
})
