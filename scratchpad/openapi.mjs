// Writes openapi.json, the contract as a document, from what was built. Run it with `npm run openapi`.
import { writeFileSync } from "node:fs"
import { openApi } from "../dist/http/ContractDocument.js"

const file = new URL("../openapi.json", import.meta.url)
writeFileSync(file, `${JSON.stringify(openApi(), null, 2)}\n`)
process.stdout.write(`Wrote ${file.pathname}\n`)
