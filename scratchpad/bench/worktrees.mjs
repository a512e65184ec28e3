// A worktree of a repository with 50,000 files: through the API, beside plain `git worktree add` in the same run.
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { key, median, startMuster, table, temporaryDirectory } from "./world.mjs"

const files = Number(process.env.BENCH_FILES ?? 50_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)

const git = (cwd, ...args) =>
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
    cwd,
    stdio: "ignore"
  })

/** A repository with its origin, in folders of 500 files. */
const repository = (root) => {
  const [primary, origin] = [join(root, "primary"), join(root, "origin.git")]
  git(root, "init", "--bare", "--initial-branch=main", origin)
  git(root, "init", "--initial-branch=main", primary)
  for (let index = 0; index < files; index++) {
    const folder = join(primary, `folder-${Math.floor(index / 500)}`)
    if (index % 500 === 0) mkdirSync(folder)
    writeFileSync(join(folder, `file-${index}.txt`), `This is file ${index}.\n`)
  }
  git(primary, "add", ".")
  git(primary, "commit", "-m", "All files")
  git(primary, "remote", "add", "origin", origin)
  git(primary, "push", "origin", "main")
  return primary
}

const timed = async (work) => {
  const from = performance.now()
  const result = await work()
  return [performance.now() - from, result]
}

const root = temporaryDirectory()
const primary = repository(root)
const server = await startMuster(temporaryDirectory())
const call = async (method, path, body) => {
  const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

await call("POST", "/config/repos", { name: "bench", path: primary })
const times = { create: [], plain: [], preview: [], remove: [], plainRemove: [] }
for (let round = 0; round < rounds; round++) {
  const product = async () => {
    const { id } = await call("POST", "/tasks", { title: `Round ${round}`, git: { repo: "bench" } })
    times.create.push((await timed(() => call("POST", `/tasks/${id}/worktree`, {})))[0])
    times.preview.push((await timed(() => call("GET", `/tasks/${id}/worktree/cleanup-preview`)))[0])
    times.remove.push((await timed(() => call("DELETE", `/tasks/${id}/worktree`)))[0])
  }
  const plain = async () => {
    const path = join(root, `plain-${round}`)
    const add = () => git(primary, "worktree", "add", "-b", `plain-${round}`, path, "origin/main")
    times.plain.push((await timed(add))[0])
    times.plainRemove.push((await timed(() => git(primary, "worktree", "remove", path)))[0])
  }
  for (const turn of round % 2 === 0 ? [product, plain] : [plain, product]) await turn()
}
await server.stop()

const row = (name, ours, theirs) => {
  const [a, b] = [median(ours), theirs === undefined ? undefined : median(theirs)]
  return {
    [`Worktree of ${files} files`]: name,
    "Muster, ms": Math.round(a),
    "plain git, ms": b === undefined ? "" : Math.round(b),
    times: b === undefined ? "" : (a / b).toFixed(2)
  }
}
console.log(
  table([
    row("create (fetch, manifest, checkout, preview)", times.create, times.plain),
    row("cleanup preview", times.preview),
    row("remove (previewed)", times.remove, times.plainRemove)
  ])
)
