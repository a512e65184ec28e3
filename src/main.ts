/*
 * The server. An old Node reads a file and all that it imports before it runs any of it, and then
 * tells of syntax that it does not know: so nothing is imported here before the version is known to do.
 */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major > 20 || (major === 20 && minor >= 12)) void import("./Serve.ts")
else {
  process.stderr.write(`muster: Node ${process.versions.node} is too old: install Node 20.12 or newer\n`)
  process.exitCode = 1
}
