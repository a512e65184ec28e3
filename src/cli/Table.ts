import { oneLine } from "./Output.ts"
import type { Paint } from "./Paint.ts"

/** Rows below their heads, each column as wide as its longest cell; the last one is cut where the terminal ends. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  paint: Paint,
  width: number | undefined
): string => {
  const cells = rows.map((row) => row.map(oneLine))
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => (row[column] ?? "").length))
  )
  const line = (row: ReadonlyArray<string>): string => {
    const text = row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
    return width === undefined || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
  }
  return [paint.dim(line(heads)), ...cells.map(line)].join("\n")
}
