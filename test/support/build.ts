import { execFileSync } from "node:child_process"
import { joinDyingPrograms } from "./Programs.ts"

/** Builds the programs once before all tests, for those that start them, unless what is built is as new as its source. */
export default async function build(): Promise<void> {
  execFileSync("npm", ["run", "--silent", "build", "--", "--if-newer"], { stdio: "inherit" })
  await joinDyingPrograms()
}
