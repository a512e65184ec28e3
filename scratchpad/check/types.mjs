// Checks the types, what checking them costs, and how Effect is used. TypeScript's compiler with the rules of the Effect
// language service in it does both over one program; the rules and how severe they are stand in tsconfig.json.
import { execFileSync, spawnSync } from "node:child_process"

/**
 * How many types the compiler may make out of others for each file that is checked, libraries included: an expression that
 * makes it think for seconds shows here before anybody waits for it.
 */
const instantiationsPerFile = 1_700

const compiler = execFileSync("npx", ["--no-install", "effect-tsgo", "get-exe-path"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"]
}).trim()

// Several checkers each make the types anew that they share, so the count depends on how many they are. One is as quick
// on two cores, and leaves the other core free.
const { status, stdout } = spawnSync(
  compiler,
  ["--noEmit", "--pretty", "false", "--checkers", "1", "--extendedDiagnostics"],
  { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 64 * 1_048_576 }
)
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
