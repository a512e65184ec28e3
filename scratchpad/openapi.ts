// Writes openapi.json, the contract as a document. Run it with `npm run openapi`.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { openApi } from "../src/http/ContractDocument.ts"
import { packageRoot } from "../src/kernel/PackageRoot.ts"

const file = join(packageRoot, "openapi.json")
writeFileSync(file, `${JSON.stringify(openApi(), null, 2)}\n`)
process.stdout.write(`Wrote ${file}\n`)
