import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { joinProgram } from "../../scratchpad/build/programs.mjs"

const root = resolve(import.meta.dirname, "..", "..")
const place = join(root, "node_modules", ".cache", "muster")

/** The built programs. */
export const programs = {
  server: join(root, "dist", "main.js"),
  command: join(root, "dist", "cli", "main.js"),
  dyingServer: join(place, "dying-server.js")
} as const

/** Joins the program that is killed at a step of its work; it is none of the product. */
export const joinDyingServer = async (): Promise<void> => {
  // What an earlier build left is not written over: somebody may have it under another name.
  rmSync(place, { recursive: true, force: true })
  await joinProgram("test/support/dying-server.ts", join(place, "dying-server"))
}
