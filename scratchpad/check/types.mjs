// Checks the types, and what checking them costs: an expression that makes the compiler think for seconds shows here
// before anybody waits for it.
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** How many types the compiler may make out of others for each file that is checked, libraries included. */
const instantiationsPerFile = 5_000

const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin",
  "tsc"
)
const { status, stdout } = spawnSync(process.execPath, [compiler, "--noEmit", "--extendedDiagnostics"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
  maxBuffer: 64 * 1_048_576
})
const figure = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(stdout)?.[1])
const told = stdout.slice(0, stdout.search(/^Files:/m))
process.stdout.write(told)
if (status !== 0) process.exit(status ?? 1)
const perFile = figure("Instantiations") / figure("Files")
if (!(perFile <= instantiationsPerFile)) {
  process.stderr.write(
    `Types: ${Math.round(perFile)} instantiations for each file, ${instantiationsPerFile} are allowed\n`
  )
  process.exit(1)
}
