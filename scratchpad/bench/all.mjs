// Every benchmark of this folder, one after another. `npm run bench` builds first.
import { execFileSync } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = dirname(fileURLToPath(import.meta.url))
for (const script of [
  "http.mjs",
  "patch-latency.mjs",
  "contention.mjs",
  "fanout.mjs",
  "search.mjs",
  "search-hostile.mjs",
  "webhooks.mjs",
  "relay.mjs",
  "worktrees.mjs",
  "child.mjs",
  "journal.mjs",
  "journal-patch.mjs",
  "admission.mjs",
  "start.mjs"
]) {
  process.stdout.write(`\n## ${script}\n\n`)
  execFileSync(process.execPath, [join(folder, script)], { stdio: "inherit" })
}
