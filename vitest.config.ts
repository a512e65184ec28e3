import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/LongestFirst.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/restoreTesters.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    poolOptions: { forks: { minForks: 1, maxForks: 2, isolate: false } }
  }
})
