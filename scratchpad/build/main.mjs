// Builds the server and the command into dist. Types are checked apart.
//
//   node scratchpad/build/main.mjs              builds
//   node scratchpad/build/main.mjs --if-newer   builds when nothing is built, or the source is newer
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { argv } from "node:process"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const built = join(root, "dist")
const command = join(built, "cli", "main.js")

/** What the packages ask for of whose code the programs hold parts: that their licenses go with it. */
const licensesOf = (files) =>
  [...new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))]
    .sort()
    .map((place) => {
      const { license, name, version } = JSON.parse(readFileSync(join(root, place, "package.json"), "utf8"))
      const text = readdirSync(join(root, place)).find((file) => /^licen[cs]e/i.test(file))
      const said = text === undefined ? "" : `\n${readFileSync(join(root, place, text), "utf8").trim()}\n`
      return `${name} ${version}: ${license}\n${said}`
    })
    .join(`\n${"-".repeat(80)}\n`)

const build = async () => {
  const { joinProgram, keepCode, writeEntry } = await import("./programs.mjs").catch(() => {
    process.stderr.write("muster: what builds it is a development dependency: install without --omit=dev\n")
    process.exit(1)
  })
  rmSync(built, { recursive: true, force: true })
  const files = await Promise.all([
    joinProgram("src/Serve.ts", join(built, "Serve")),
    joinProgram("src/cli/Run.ts", join(built, "cli", "Run"))
  ])
  keepCode(join(built, "Serve.js"))
  keepCode(join(built, "cli", "Run.js"), "list")
  writeFileSync(join(built, "LICENSES.txt"), licensesOf(files.flat()))
  // The entries come last: where they are, all is.
  await writeEntry("src/main.ts", join(built, "main.js"))
  await writeEntry("src/cli/main.ts", command)
  chmodSync(command, 0o755)
}

/** When the youngest of the files changed from which the programs are built. */
const changedAt = () =>
  Math.max(
    ...[
      ...["src", "scratchpad/build"].flatMap((place) =>
        readdirSync(join(root, place), { recursive: true }).map((file) => join(root, place, file))
      ),
      // A program holds its version and the packages that it was joined with.
      ...["package.json", "package-lock.json"].map((file) => join(root, file))
    ]
      .filter(existsSync)
      .map((file) => statSync(file).mtimeMs)
  )

const isCurrent = () => existsSync(command) && statSync(command).mtimeMs >= changedAt()

if (!(argv.includes("--if-newer") && isCurrent())) await build()
