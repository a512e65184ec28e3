// Runs the program in the file beside this one, with the code that V8 made of it when it was built. Another version of
// V8 refuses that code, and makes its own.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { constants, Script } from "node:vm"

const filename = fileURLToPath(import.meta.url).replace(/\.js$/, ".cjs")

const keptCode = () => {
  try {
    return readFileSync(`${filename}.code`)
  } catch {
    return undefined
  }
}

const script = new Script(
  `(function (require, __filename, __dirname) {${readFileSync(filename, "latin1")}\n})`,
  {
    filename,
    cachedData: keptCode(),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  }
)
script.runInThisContext()(createRequire(filename), filename, dirname(filename))
