#!/usr/bin/env node
/*
 * The muster command. Node parses a file and all its imports before it runs any of them, and an old one would fail with
 * a syntax error: so the version is checked before anything is imported.
 */

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major > 20 || (major === 20 && minor >= 12)) void import("./Run.ts")
else {
  process.stderr.write(`muster: Node ${process.versions.node} is too old: install Node 20.12 or newer\n`)
  process.exitCode = 2
}
