// Runs the program in the file beside this one, with the code that V8 made of it when it was built. Another version of
// V8 refuses that code, and makes its own.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { Script } from "node:vm"

const filename = fileURLToPath(import.meta.url).replace(/\.js$/, ".cjs")

const keptCode = () => {
  try {
    return readFileSync(`${filename}.code`)
  } catch {
    return undefined
  }
}

// The build writes ASCII alone.
const source = readFileSync(filename, "latin1")
const script = new Script(`(function (require, __filename, __dirname) {${source}\n})`, {
  filename,
  cachedData: keptCode()
})
script.runInThisContext()(createRequire(filename), filename, dirname(filename))
