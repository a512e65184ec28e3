import { execFileSync } from "node:child_process"

/** Builds the server once before all tests, for those that start it as a process of its own. */
export default function build(): void {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" })
}
