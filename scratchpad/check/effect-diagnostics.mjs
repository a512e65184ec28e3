// Runs the Effect diagnostics over the whole project. A project path that resolves to nothing
// reports "Checked 0 files" and exits 0, so the count is checked as well.
import { spawnSync } from "node:child_process"

const run = spawnSync(
  "npx",
  ["--no-install", "effect-tsgo", "diagnostics", "--project", "tsconfig.json", "--strict"],
  { encoding: "utf8" }
)
const output = `${run.stdout}${run.stderr}`
const checked = Number(/Checked (\d+) files/.exec(output)?.[1] ?? 0)
process.stdout.write(output)
if (run.status !== 0 || checked === 0) {
  process.stderr.write(`Effect diagnostics failed (exit ${run.status}, ${checked} files checked)\n`)
  process.exit(1)
}
