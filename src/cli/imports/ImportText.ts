import type { ImportResult } from "../../board/imports/ImportResult.ts"
import { oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "../text/Paint.ts"

/** How many entries of a list a person is shown. */
const shown = 10

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

const section = (
  paint: Paint,
  head: string,
  count: number,
  lines: ReadonlyArray<string>
): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
        "",
        head,
        ...lines.slice(0, shown).map((line) => `  ${oneLine(line)}`),
        ...(count > shown ? [paint.dim(`  and ${count - shown} more; --json lists them`)] : [])
      ]

/** What an import did, for a person. */
export const importText = (result: ImportResult, paint: Paint): string => {
  const { counts } = result
  const unchanged =
    result.unchanged === 0
      ? ""
      : `, ${plural(result.unchanged, "was", "were")} there already and stayed as they are`
  const failed = counts.failed === 0 ? "" : `, ${plural(counts.failed, "line")} failed`
  const head =
    result.imported === 0 && result.unchanged > 0 && counts.failed === 0
      ? `Nothing changed: all ${plural(result.unchanged, "task")} had been imported before`
      : `${plural(result.imported, "task")} imported${unchanged}${failed}`
  return [
    `${counts.failed === 0 ? paint.green(head) : paint.yellow(head)}.`,
    ...section(
      paint,
      paint.red("Lines that failed:"),
      counts.failed,
      result.failed.map(
        ({ line, message, path }) => `line ${line}: ${path === "" ? "" : `${path}: `}${message}`
      )
    ),
    ...section(
      paint,
      paint.yellow(
        "Shared identities, whose tasks can't be changed until muster doctor has told them apart:"
      ),
      counts.duplicates,
      result.duplicates.map(({ id, sources }) => `${id}: ${sources.map(({ path }) => path).join(", ")}`)
    ),
    ...section(
      paint,
      "Dependencies left out:",
      counts.skippedDependencies,
      result.skippedDependencies.map(
        ({ dependsOn, reason, taskId }) =>
          `${taskId} on ${dependsOn}: ${reason === "self" ? "a task can't wait for itself" : "it would close a circle"}`
      )
    ),
    ...section(
      paint,
      "Dependencies on tasks that are not there yet (a later import finds them):",
      counts.unresolved,
      result.unresolved.map(({ reference, taskId }) => `${taskId} on ${reference}`)
    ),
    ...(result.ignoredFields.length === 0
      ? []
      : ["", paint.dim(oneLine(`Fields that nobody reads: ${result.ignoredFields.join(", ")}`))])
  ].join("\n")
}
