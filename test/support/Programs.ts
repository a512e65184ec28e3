import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { joinProgram } from "../../scratchpad/build/programs.mjs"

const root = resolve(import.meta.dirname, "..", "..")
const place = join(root, "node_modules", ".cache", "muster")

/** The built programs. */
export const programs = {
  server: join(root, "dist", "main.js"),
  command: join(root, "dist", "cli", "main.js"),
  dyingServer: join(place, "dying-server.js"),
  dyingWriter: join(place, "dying-writer.js")
} as const

/** Joins the programs that are killed at their work; they are none of the product. */
export const joinDyingPrograms = async (): Promise<void> => {
  // What an earlier build left is not written over: somebody may have it under another name.
  rmSync(place, { recursive: true, force: true })
  for (const name of ["dying-server", "dying-writer"]) {
    await joinProgram(`test/support/${name}.ts`, join(place, name))
  }
}
