// Runs scripts of the package beside each other, tells what each said as it ends, and fails when one does:
// `beside.mjs SCRIPT...`
import { spawn } from "node:child_process"
import { argv } from "node:process"

const run = (script) =>
  new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    const hear = (chunk) => {
      said += chunk
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.once("close", (code) => {
      process.stdout.write(said)
      resolve(code === 0)
    })
  })

const passed = await Promise.all(argv.slice(2).map(run))
process.exitCode = passed.every((one) => one) ? 0 : 1
