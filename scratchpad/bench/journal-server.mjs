// A server with 50 runs that say batches of 20 lines of a kilobyte; BENCH_PAUSE_MS lies between the batches of each.
import { loadSource } from "../build/programs.mjs"
import { factOf } from "./journal-facts.mjs"

const { serveWithRuns } = await loadSource("scratchpad/bench/journal-server-source.ts")
process.on("SIGTERM", () => process.exit(0))
await serveWithRuns(50, Number(process.env.BENCH_PAUSE_MS), (number) =>
  Array.from({ length: 20 }, (_, index) => factOf(number + index))
)
