// What one reader can do to everybody else with a search: the longest time that the thread did not come round, while hostile
// questions are put to hostile documents, each alone and twenty at once. On a busy machine the processor's time is the one
// to trust: the wall also counts what other programs took.
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import Database from "better-sqlite3"
import { key, root, seed, startMuster, table, temporaryDirectory } from "./world.mjs"

const plainTasks = Number(process.env.BENCH_DOCUMENTS ?? 100_000)
const copies = Number(process.env.BENCH_COPIES ?? 20)
const port = Number(process.env.BENCH_PORT ?? 4111)
const size = 100_000

const filled = (make) => {
  let text = ""
  for (let index = 0; text.length < size; index++) text += make(index)
  return text.slice(0, size)
}
const letters = "abcdefghijklmnopqrstuvwxyz"
const hostile = {
  "one word": filled(() => "the "),
  "words of one letter": filled((index) => `${letters[index % 26]} `),
  "words with one beginning": filled((index) => `aaaa${index.toString(36)} `),
  "no spaces": "x".repeat(size),
  "Chinese, all pairs": filled((index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000))),
  "marks on marks": "\u0301\u0316".repeat(size / 2),
  ligatures: "\ufdfa ".repeat(size / 2),
  pictures: "👩‍💻🏽".repeat(size / 7)
}
const kinds = Object.values(hostile)
const textsOf = (index) =>
  index < kinds.length * copies
    ? { title: `Hostile ${index}`, description: kinds[index % kinds.length] }
    : { title: `A common task ${index}`, description: `What everybody says about the common thing ${index}` }

const questions = {
  "one word": "the",
  "one word, 32 times": "the ".repeat(32),
  "a word of all documents": "common",
  "two words of all documents": "common task",
  "many letters": [...letters].join(" "),
  "many words, none everywhere": [...letters].map((letter) => `${letter}${letter} the common`).join(" "),
  "a beginning of everything": "aaa",
  "a longer beginning": "aaaa1",
  "nothing that exists": "zzzzqqqq",
  Chinese: "一丁",
  "one Chinese character": "一",
  "250 Chinese characters": kinds[4].slice(0, 250),
  "500 marks": "\u0301\u0316".repeat(250),
  "a letter with 499 marks": `a${"\u0316\u0301".repeat(249)}`,
  "a picture": "👩‍💻",
  punctuation: '"*" NEAR( OR - ^ {title}: …',
  syntax: 'title:common OR NEAR("the" common, 5) AND NOT x*'
}

const directory = temporaryDirectory()
await seed(directory, kinds.length * copies + plainTasks, textsOf)
const db = new Database(join(directory, "muster.db"))
const say = db.prepare(
  "INSERT INTO squad_messages (id, agent, message, search_text, system, tags, mentions, root_id, pinned, decision, created_by, created_at) VALUES (@id, 'a', @text, @text, 0, '[]', '[]', @id, 0, 0, 'bench', 0)"
)
const note = db.prepare(
  "INSERT INTO observations (id, task_id, type, content, folded, importance, created_by, created_at) VALUES (@id, 'task_1', 'context', @text, @text, 5, 'bench', 0)"
)
db.transaction(() => {
  for (let index = 0; index < 10_000; index++) {
    const text = index % 2 === 0 ? "a".repeat(10_000) : kinds[index % kinds.length].slice(0, 10_000)
    say.run({ id: `msg_${index}`, text })
    note.run({ id: `obs_${index}`, text })
  }
})()
db.close()

const holdFile = join(directory, "hold.json")
const server = await startMuster(directory, port, {
  BENCH_HOLD: holdFile,
  NODE_OPTIONS: `--import ${pathToFileURL(join(root, "scratchpad/bench/hold.mjs")).href}`
})
const held = async () => {
  rmSync(holdFile, { force: true })
  process.kill(server.pid, "SIGUSR2")
  while (!existsSync(holdFile) || readFileSync(holdFile, "utf8") === "") await sleep(5)
  return JSON.parse(readFileSync(holdFile, "utf8"))
}
const ask = async (path, init) => {
  const from = performance.now()
  const response = await fetch(`${server.baseUrl}/api/${path}`, {
    ...init,
    headers: { "x-api-key": key, "content-type": "application/json" }
  })
  const text = await response.text()
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
  return performance.now() - from
}
const search = (query) => ask("search", { method: "POST", body: JSON.stringify({ query, limit: 100 }) })

const rows = []
const measure = async (name, put) => {
  await held()
  const ms = await put()
  const { processor, wall } = await held()
  rows.push({
    What: name,
    "answered in ms": ms.toFixed(0),
    "longest hold, processor ms": processor.toFixed(1),
    "longest hold, wall ms": wall.toFixed(1)
  })
}

await measure("the first search, which takes everything in", () => search("common"))
for (const [name, query] of Object.entries(questions)) await measure(`search: ${name}`, () => search(query))
await measure("search: all of these at once, twenty times over", async () => {
  const all = Array.from({ length: 20 }, () => Object.values(questions)).flat()
  return Math.max(...(await Promise.all(all.map(search))))
})
const worst = `${"a".repeat(99)}b`
await measure("squad chat: what stands nowhere", () => ask(`chat/squad/search?q=${worst}`))
await measure("observations: what stands nowhere", () => ask(`observations?q=${worst}`))
await measure("observations: what stands everywhere", () => ask("observations/search?query=a&limit=100"))
await measure("observations: 166 marks", () =>
  ask(`observations?q=${encodeURIComponent("\u0301\u0316".repeat(83))}`)
)
await server.stop()
console.log(table(rows))
