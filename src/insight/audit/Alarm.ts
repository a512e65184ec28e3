import type { Link } from "../../storage/events/Audit.ts"
import type { Known, Unsigned } from "./SignedHead.ts"

/** What a start finds of the chain and of what was signed of it. */
export interface Beginning {
  readonly known: Known
  /** The last entry of the chain. */
  readonly last: Link
  /** Whether the chain holds the entry that was signed last, or says why it does not. */
  readonly continues: boolean
}

const mend =
  "GET /api/audit/verify tells more. If you did this, bring the board back with muster backup FILE and muster restore FILE while the server is stopped: that leaves a signed mark, and the chain verifies again."

const unsigned: Record<Unsigned, string> = {
  "head-forged": "The signed head of the audit chain, audit-head.json, was not signed with this board's key.",
  "head-missing": "The signed head of the audit chain, audit-head.json, is gone from the data directory.",
  "key-missing":
    "The database has been worked with, and the key of its audit chain, audit-key.pem, is not in the data directory.",
  "key-replaced": "The key of the audit chain, audit-key.pem, is another one than the database knows."
}

/** What an operator is told at the start when the chain is not the one that was signed; undefined when all is well. */
export const alarmOf = ({ continues, known, last }: Beginning): string | undefined => {
  if (known._tag === "Unsigned") return `${unsigned[known.fault]} ${mend}`
  if (continues) return undefined
  const { sequence } = known.head
  return last.sequence === 0
    ? `The database is empty, and the audit chain beside it had ${sequence} entries: the board was removed, or is looked for in the wrong place. Stop the server, then put the database back where SERVICE_DATA_DIR and SERVICE_SQLITE_PATH say, or bring a backup back with muster restore FILE. To begin anew here, remove audit-key.pem and audit-head.json too.`
    : `The database does not hold entry ${sequence} of the audit chain, which was signed: an older copy came in by hand, or entries were removed. ${mend}`
}
