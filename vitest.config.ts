import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/LongestFirst.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/restoreTesters.ts"],
    // It ends what hangs. What is merely slow beside other programs is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    poolOptions: {
      // Tests wait for disks, other programs and time. A third process has something to do meanwhile on two cores. None
      // is let go before the end: a run of three that lets one go ends with "Terminating worker thread".
      forks: {
        minForks: 3,
        maxForks: 3,
        isolate: false,
        // A world is thousands of objects that live for a second: with room for them they are not copied to and fro.
        execArgv: ["--max-semi-space-size=64"]
      }
    }
  }
})
