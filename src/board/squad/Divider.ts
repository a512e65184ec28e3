import { oneLine } from "../../kernel/Foreign.ts"
import type { SquadMessage } from "./SquadMessage.ts"

const width = 80

/**
 * A system event as the line that divides the messages before it from those after it, e.g.
 * `──── spawned · codex started on task_1 ────────────`. One line, whatever the event says; 80 columns unless it says
 * more (spec 1-core, Squad chat system event).
 */
export const dividerLine = ({ kind = "status", message }: Pick<SquadMessage, "kind" | "message">): string => {
  return `──── ${kind} · ${oneLine(message)} ────`.padEnd(width, "─")
}
