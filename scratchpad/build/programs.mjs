// Joins a program with all that it imports into one file, and puts beside it the code that V8 makes of what a start
// runs. Two thirds of a start would otherwise go into finding, reading and compiling 1,500 modules.
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const here = dirname(fileURLToPath(import.meta.url))

const root = dirname(dirname(here))

const common = { absWorkingDir: root, bundle: true, platform: "node", target: "node20", logLevel: "warning" }

/** Imports from `effect` in a module of the source. */
const fromEffect = /^import \{([^}]*)\} from "effect"$/gm

/** The import of one name of `effect` from the module that has it: functions alone have small letters. */
const singly = (specifier) => {
  const [kind, named] = specifier.startsWith("type ")
    ? ["import type", specifier.slice(5)]
    : ["import", specifier]
  const [name, as = name] = named.split(" as ")
  return /^[A-Z]/.test(name)
    ? `${kind} * as ${as} from "effect/${name}"`
    : `${kind} { ${name} as ${as} } from "effect/Function"`
}

/**
 * Takes each part of Effect from its own module. The index names them all, and where a part of the program is loaded on
 * first use, esbuild takes the whole of an index along.
 */
const withoutIndex = {
  name: "without-index",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/][^\0]*\.ts$/ }, ({ path }) => {
      if (path.includes("node_modules")) return undefined
      const contents = readFileSync(path, "utf8").replace(fromEffect, (_, names) =>
        names
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "")
          .map(singly)
          // One line for one, so that places in messages stay.
          .join("; ")
      )
      return { loader: "ts", contents }
    })
}

/**
 * Joins what an entry point imports into `PLACE.cjs`, with `PLACE.js` beside it that runs it. Answers with the files that
 * went into it.
 */
export const joinProgram = async (entryPoint, place) => {
  const { metafile } = await build({
    ...common,
    metafile: true,
    // Names stay, for whoever reads a stack; what is only there to be looked at goes.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    plugins: [withoutIndex],
    entryPoints: [entryPoint],
    outfile: `${place}.cjs`,
    format: "cjs",
    // What is loaded on first use is asked for by `require` too: a script has no `import` of its own.
    supported: { "dynamic-import": false },
    // These have parts that are not JavaScript.
    external: ["@node-rs/argon2", "better-sqlite3"],
    banner: { js: `const moduleUrl = require("node:url").pathToFileURL(__filename).href;` },
    define: { "import.meta.url": "moduleUrl" }
  })
  writeFileSync(`${place}.cjs`, inAscii(readFileSync(`${place}.cjs`, "utf8")))
  copyFileSync(join(here, "run.mjs"), `${place}.js`)
  return Object.keys(metafile.inputs)
}

/**
 * Code in ASCII alone, which is read and kept at half the size. What esbuild leaves are comments and regular expressions,
 * where a character and its escape are the same.
 */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Writes an entry. It imports the program behind it once it knows the version of Node, so it stays a file of its own. */
export const writeEntry = (entryPoint, file) =>
  build({
    ...common,
    entryPoints: [entryPoint],
    outfile: file,
    format: "esm",
    plugins: [
      {
        name: "program-stays-outside",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\/\w+\.ts$/ }, ({ path }) => ({
            path: path.replace(/\.ts$/, ".js"),
            external: true
          }))
      }
    ]
  })

/** Loads a module of the source, for what measures parts of it by themselves. */
export const loadSource = async (file) => {
  // Packages are found from here, which a fresh checkout does not have yet.
  const cache = join(root, "node_modules", ".cache")
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(join(cache, "source-"))
  try {
    const place = join(directory, "module")
    await build({
      ...common,
      entryPoints: [file],
      outfile: `${place}.mjs`,
      format: "esm",
      packages: "external"
    })
    return await import(pathToFileURL(`${place}.mjs`).href)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs a program once, and keeps the code that V8 made of it. */
export const keepCode = (file, ...args) => {
  const directory = mkdtempSync(join(tmpdir(), "muster-build-"))
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", pathToFileURL(join(here, "keep-code.mjs")).href, file, ...args],
    {
      cwd: directory,
      env: {
        PATH: process.env["PATH"] ?? "",
        SERVICE_DATA_DIR: directory,
        SERVICE_ADMIN_KEY: "the-key-of-a-build",
        SERVICE_PORT: "0",
        SERVICE_LOG_LEVEL: "none"
      },
      encoding: "utf8",
      timeout: 60_000
    }
  )
  rmSync(directory, { recursive: true, force: true })
  if (status === null || status === 70) throw new Error(`${file} does not work: ${stderr}`)
}
