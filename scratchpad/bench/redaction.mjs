// What redaction costs: ordinary texts of several lengths, and a megabyte of the worst that each pattern can meet.
// With other checkouts as arguments to compare: node scratchpad/bench/redaction.mjs [directory…]
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { loadSource } from "../build/programs.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const checkouts = process.argv.length > 2 ? process.argv.slice(2).map((place) => resolve(place)) : [root]

/** The processor's time of this process alone, in nanoseconds: a busy machine counts less. */
const spent = (work) => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (user + system) * 1_000
}

const code = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
const ordinary = {
  "field, 8 characters": ["todo", "code", "agent-7", "backend", "in review", "muster", "anna", "area/ui"],
  "title, 50 characters": readFileSync(join(root, "README.md"), "utf8")
    .split("\n")
    .filter((line) => line.length > 30 && line.length < 90),
  "description, 500 characters": code
    .flatMap((text) => text.split(/\n\n/))
    .filter((part) => part.length > 300 && part.length < 800)
}

/** What a megabyte is made of, one after another; the tests hold the same against growth with the square. */
const patterns = JSON.parse(readFileSync(join(root, "test/kernel/RedactionPatterns.json"), "utf8"))

for (const checkout of checkouts) {
  const { redactText } = await loadSource(join(checkout, "src/kernel/Redaction.ts"))
  process.stdout.write(`\n${checkout}\n`)
  for (const [name, texts] of Object.entries(ordinary)) {
    const work = () => {
      for (const text of texts) redactText(text)
    }
    work()
    const rounds = Math.ceil(40_000 / texts.length / (texts[0].length > 200 ? 8 : 1))
    const nanoseconds = spent(() => {
      for (let round = 0; round < rounds; round++) work()
    })
    process.stdout.write(`  ${name}: ${Math.round(nanoseconds / rounds / texts.length)} ns\n`)
  }
  const worst = patterns
    .map((pattern) => {
      const text = pattern.repeat(Math.ceil(1_000_000 / pattern.length)).slice(0, 1_000_000)
      return [pattern, Math.min(...[1, 2].map(() => spent(() => redactText(text)))) / 1e6]
    })
    .sort(([, one], [, other]) => other - one)
  process.stdout.write("  the worst of a megabyte, in milliseconds:\n")
  for (const [pattern, milliseconds] of worst.slice(0, 25))
    process.stdout.write(
      `    ${milliseconds.toFixed(0).padStart(6)} ${JSON.stringify(pattern).slice(0, 60)}\n`
    )
}
