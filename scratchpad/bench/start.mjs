// B11: from the start of the process to its first answer, and memory at rest, with 10,000 tasks.
import { median, residentMb, seed, startMuster, table, temporaryDirectory } from "./world.mjs"

const directory = temporaryDirectory()
await seed(directory, 10_000)
const starts = []
const idle = []
for (let round = 0; round < Number(process.env.BENCH_ROUNDS ?? 5); round++) {
  const server = await startMuster(directory)
  starts.push(server.startMs)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  idle.push(residentMb(server.pid))
  await server.stop()
}
console.log(
  table([
    {
      Workload: "B11 start and footprint, 10,000 tasks",
      "start to first answer, ms": Math.round(median(starts)),
      "idle RSS, MB": Math.round(median(idle))
    }
  ])
)
