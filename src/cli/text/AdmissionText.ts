import { duration } from "../../client/Duration.ts"
import type { Reservation } from "../../governance/admission/Reservation.ts"
import type { QueueEntry, QueueInspection, QueueList } from "../../governance/queue/Entry.ts"
import { oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "./Paint.ts"
import { table } from "./Table.ts"

/** A scope in words: what its limit is a limit of. A later server may know more of them. */
const scopeText = ({ scope, scopeId }: { readonly scope: string; readonly scopeId: string }): string => {
  switch (scope) {
    case "global":
      return "the whole board"
    case "host":
      return "its machine"
    default:
      return `${scope} ${scopeId}`
  }
}

/** Where room is wanted. */
export const roomText = (
  scopes: ReadonlyArray<{ readonly scope: string; readonly scopeId: string }>
): string => (scopes.length === 0 ? "its turn" : `room in ${scopes.map(scopeText).join(" and in ")}`)

/** What somebody waits for. */
const reasonText = ({ limitingScopes, state }: QueueEntry): string => {
  if (state === "leased") return "nothing: it is about to start"
  return roomText(limitingScopes)
}

const runs = (reservations: ReadonlyArray<Reservation>, paint: Paint): string =>
  reservations.length === 0
    ? "Nothing runs."
    : table(
        ["RUNS", "TASK", "PROVIDER", "SOURCE", "SINCE"],
        reservations.map(({ attemptBinding, createdAt, request }) => [
          attemptBinding.attemptId,
          attemptBinding.taskId,
          request.provider,
          request.source,
          createdAt
        ]),
        paint
      )

const waits = ({ entries, limit, page, total }: QueueList, paint: Paint): string => {
  if (total === 0) return "Nobody waits."
  const first = (page - 1) * limit
  const shown = table(
    ["WAITS", "PLACE", "PRIORITY", "SOURCE", "FOR", "UNTIL THERE IS"],
    entries.map((entry, index) => [
      entry.id,
      String(first + index + 1),
      entry.priority,
      entry.source,
      duration(entry.ageMs),
      reasonText(entry)
    ]),
    paint
  )
  const more = total - entries.length
  return more > 0 ? `${shown}\n${paint.dim(`and ${more} more`)}` : shown
}

/** Who holds capacity, who waits for some, and why. */
export const admissionText = (
  reservations: ReadonlyArray<Reservation>,
  queue: QueueList,
  paint: Paint
): string => [runs(reservations, paint), "", waits(queue, paint)].join("\n")

/** An entry that was cancelled. */
export const cancelledText = ({ entry }: QueueInspection, paint: Paint): string =>
  `${paint.green("Cancelled")} ${paint.bold(oneLine(entry.id))}: it will not start, and its attempt has ended`
