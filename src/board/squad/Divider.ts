import type { SquadMessage } from "./SquadMessage.ts"

const width = 80

/** What would break a line or speak to the terminal: white space in a row, controls, and marks that turn the text. */
const unprintable = /[\s\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/**
 * A system event as the line that divides the messages before it from those after it, e.g.
 * `──── spawned · codex started on task_1 ────────────`. One line, whatever the event says; 80 columns unless it says
 * more (spec 1-core, Squad chat system event).
 */
export const dividerLine = ({ kind = "status", message }: Pick<SquadMessage, "kind" | "message">): string => {
  const said = message.replace(unprintable, " ").trim()
  return `──── ${kind} · ${said} ────`.padEnd(width, "─")
}
