import { readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = resolve(import.meta.dirname, "..", "..")
const built = join(root, "dist")
const place = join(root, "node_modules", ".cache", "muster")

/** The built programs, each of them in a few files. */
export const programs = {
  server: join(place, "server.js"),
  command: join(place, "command.js"),
  dyingServer: join(place, "dying-server.js")
} as const

/** What is loaded from its own place: it has parts that are not JavaScript, or is imported by names that only Node finds. */
const external = ["@node-rs/argon2", "better-sqlite3", "undici"]

/** Code of packages that are older than modules asks for others by `require`. */
const banner = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`

/**
 * Joins what was built into a few files. More than half of a start goes into finding and reading 1,500 modules, and the
 * tests start some two hundred programs. Each module is told the address that it has in the build, so that it finds
 * the files beside it.
 */
export const joinPrograms = async (): Promise<void> => {
  // What an earlier build left is not written over: somebody may have it under another name.
  rmSync(place, { recursive: true, force: true })
  await build({
    entryPoints: {
      server: join(built, "main.js"),
      command: join(built, "cli", "main.js"),
      "dying-server": join(root, "test", "support", "dying-server.mjs")
    },
    outdir: place,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external,
    banner: { js: banner },
    logLevel: "warning",
    plugins: [
      {
        name: "addresses",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.js$/ }, ({ path }) =>
            path.startsWith(built)
              ? {
                  contents: readFileSync(path, "utf8").replaceAll(
                    "import.meta.url",
                    JSON.stringify(pathToFileURL(path).href)
                  )
                }
              : undefined
          )
      }
    ]
  })
}
