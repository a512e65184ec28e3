import { assert, describe, it } from "@effect/vitest"
import { staysHere } from "../../src/kernel/Loopback.ts"

describe("a host of a URL", () => {
  it("stays on this machine when it is one of its own names or addresses, and not when it only looks like one", () => {
    for (const host of ["localhost", "board.localhost", "127.0.0.1", "127.8.9.10", "[::1]"]) {
      assert.isTrue(staysHere(host), host)
    }
    for (const host of [
      "127.example.com",
      "127.0.0.1.example.com",
      "localhost.example.com",
      "10.0.0.1",
      "[::2]"
    ]) {
      assert.isFalse(staysHere(host), host)
    }
  })
})
