import { oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "./Paint.ts"

/** A table with a line for each row: each column as wide as its widest cell, the first one in bold. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  paint: Paint
): string => {
  const cells = rows.map((row) => row.map(oneLine))
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0))
  )
  const line = (row: ReadonlyArray<string>, first: (text: string) => string) =>
    row
      .map((cell, column) => {
        const padded = column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)
        return column === 0 ? first(padded) : padded
      })
      .join("  ")
  return [paint.dim(line(head, (text) => text)), ...cells.map((row) => line(row, paint.bold))].join("\n")
}
