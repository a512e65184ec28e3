import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { nativeFault } from "../src/kernel/NativeBuild.ts"
import { execute } from "./support/Binary.ts"
import { temporaryDirectory } from "./support/World.ts"

const root = resolve(import.meta.dirname, "..")
const entries = [
  { file: join(root, "dist", "main.js"), exitCode: 1 },
  { file: join(root, "dist", "cli", "main.js"), exitCode: 2 }
] as const

/** Runs an entry as a Node of this version would, as far as it can be told one. */
const underNode = (version: string, file: string, directory: string) =>
  Effect.gen(function* () {
    const preload = join(directory, "version.mjs")
    writeFileSync(
      preload,
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`
    )
    return yield* execute(process.execPath, ["--import", pathToFileURL(preload).href, file, "--version"], {
      environment: { SERVICE_DATA_DIR: join(directory, "data"), SERVICE_PORT: "many" }
    })
  })

describe("an entry", () => {
  it("imports nothing before it knows the version of Node, in words that an old one can read", () => {
    for (const { file } of entries) {
      const code = readFileSync(file, "utf8")
      assert.notMatch(code, /^\s*(?:import\s|export\s*\{\s*\w)/m)
      assert.notMatch(code, /\?\?|\?\.|^\s*await/m)
    }
  })

  it.scopedLive(
    "says in one line that Node is too old, and goes on with one that is not",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        for (const { exitCode, file } of entries) {
          for (const old of ["18.20.4", "20.11.1", "16.0.0"]) {
            const ran = yield* underNode(old, file, directory)
            assert.deepStrictEqual(
              [ran.exitCode, ran.stdout, ran.stderr],
              [exitCode, "", `muster: Node ${old} is too old: install Node 20.12 or newer\n`]
            )
          }
          const fine = yield* underNode("22.1.0", file, directory)
          assert.notInclude(fine.stderr, "too old")
          assert.match(fine.stdout + fine.stderr, /SERVICE_PORT|\d+\.\d+\.\d+/)
        }
      }),
    90_000
  )

  it("asks for the Node that the package asks for", () => {
    const { engines, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.strictEqual(engines.node, ">=20.12")
    assert.include(scripts.prestart, "install Node 20.12 or newer", "before npm start builds anything")
  })
})

/** The package with a driver of SQLite whose compiled part is of no use. */
const withBrokenSqlite = (directory: string) => {
  const modules = join(directory, "node_modules")
  mkdirSync(modules)
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "better-sqlite3") symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
  const driver = join(modules, "better-sqlite3")
  for (const part of ["lib", "package.json"]) {
    cpSync(join(root, "node_modules", "better-sqlite3", part), join(driver, part), { recursive: true })
  }
  mkdirSync(join(driver, "build", "Release"), { recursive: true })
  writeFileSync(join(driver, "build", "Release", "better_sqlite3.node"), "compiled for something else")
  cpSync(join(root, "dist"), join(directory, "dist"), { recursive: true })
  symlinkSync(join(root, "package.json"), join(directory, "package.json"))
  return directory
}

describe("SQLite that was compiled for another Node", () => {
  it.scopedLive(
    "is named with its remedy at the start and by the doctor, without a stack",
    () =>
      Effect.gen(function* () {
        const directory = withBrokenSqlite(yield* temporaryDirectory)
        const environment = {
          NODE_OPTIONS: "--preserve-symlinks --preserve-symlinks-main",
          SERVICE_DATA_DIR: join(directory, "data"),
          SERVICE_API_URL: "http://127.0.0.1:9",
          SERVICE_PORT: "0"
        }
        const server = yield* execute(process.execPath, [join(directory, "dist", "main.js")], { environment })
        assert.strictEqual(server.exitCode, 1)
        assert.match(server.stderr, /^muster: SQLite can't be loaded: .* npm rebuild better-sqlite3\n$/)
        assert.notInclude(server.stdout + server.stderr, "    at ")
        const doctor = yield* execute(
          process.execPath,
          [join(directory, "dist", "cli", "main.js"), "doctor"],
          {
            environment
          }
        )
        assert.match(doctor.stdout, /^fail {2}sqlite .*better-sqlite3 was not compiled for this Node/m)
        rmSync(directory, { recursive: true, force: true })
      }),
    90_000
  )

  it("is known by its signs, however deep they lie, and by nothing else", () => {
    const abi = new Error("was compiled against a different Node.js version using NODE_MODULE_VERSION 108.")
    assert.include(nativeFault(abi), "npm rebuild better-sqlite3")
    assert.include(nativeFault(new Error("no", { cause: new Error("again", { cause: abi }) })), "npm rebuild")
    assert.include(nativeFault(new Error("Could not locate the bindings file. Tried:")), "npm rebuild")
    for (const other of [new Error("database is locked"), "text", undefined])
      assert.isUndefined(nativeFault(other))
  })
})
