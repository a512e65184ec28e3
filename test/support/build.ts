import { execFileSync } from "node:child_process"
import { joinDyingPrograms } from "./Programs.ts"

/** Builds the programs once before all tests, for those that start them. Types are checked apart. */
export default async function build(): Promise<void> {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" })
  await joinDyingPrograms()
}
