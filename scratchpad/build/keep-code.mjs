// Keeps the code that V8 made of a program, when it ends: `node --import keep-code.mjs PROGRAM ARGUMENT...`. A server is
// asked for something once it says where it is, and then told to stop.
import { writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { stdout } from "node:process"
import vm from "node:vm"

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options)
    process.on("exit", () => writeFileSync(`${options.filename}.code`, this.createCachedData()))
  }
}
syncBuiltinESMExports()

const askAndStop = async (address) => {
  const ask = async (method, path, body) => {
    const headers = { "x-api-key": process.env.SERVICE_ADMIN_KEY, "content-type": "application/json" }
    const response = await fetch(`${address}${path}`, { method, headers, body: body && JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
    return response.json()
  }
  await ask("GET", "/health")
  const { id } = await ask("POST", "/api/v1/tasks", { title: "A task", description: "What is to be done." })
  await ask("PATCH", `/api/v1/tasks/${id}`, { title: "Another title" })
  await ask("PATCH", `/api/v1/tasks/${id}`, { status: "in-progress" })
  for (const path of ["", `/${id}`, "/counts"]) await ask("GET", `/api/v1/tasks${path}`)
  await ask("POST", "/api/v1/search", { query: "title" })
  process.kill(process.pid, "SIGTERM")
}

const write = stdout.write
stdout.write = (text, ...rest) => {
  const [address] = /http:\/\/localhost:\d+/.exec(String(text)) ?? []
  if (address !== undefined)
    askAndStop(address).catch((error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(70)
    })
  return write.call(stdout, text, ...rest)
}
