// Loaded into a server that is measured (node --import): how long its thread did not come round, by the wall and by the
// processor, since it was last asked. SIGUSR2 asks; the answer is a file.
import { writeFileSync } from "node:fs"

let wall = 0
let processor = 0
let at = performance.now()
let used = process.cpuUsage()
setInterval(() => {
  const now = performance.now()
  const { system, user } = process.cpuUsage(used)
  wall = Math.max(wall, now - at - 1)
  processor = Math.max(processor, (system + user) / 1_000)
  at = now
  used = process.cpuUsage()
}, 1).unref()

process.on("SIGUSR2", () => {
  writeFileSync(process.env.BENCH_HOLD, JSON.stringify({ wall, processor }))
  wall = 0
  processor = 0
  at = performance.now()
  used = process.cpuUsage()
})
