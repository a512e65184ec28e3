import type { LostBlob } from "../offline/DatabaseFile.ts"
import type { Paint } from "./text/Paint.ts"

/** How many are named one by one. */
const shownCount = 20

/** Lines about blobs that are lost; none when none is. */
export const lostText = (
  introduction: string,
  lost: ReadonlyArray<LostBlob>,
  paint: Paint
): ReadonlyArray<string> =>
  lost.length === 0
    ? []
    : [
        paint.yellow(introduction),
        ...lost.slice(0, shownCount).map(({ digest, finding }) => `  ${digest} (${finding})`),
        ...(lost.length > shownCount ? [`  and ${lost.length - shownCount} more; --json lists them all`] : [])
      ]
