import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const nearest = (directory: string): string =>
  existsSync(join(directory, "package.json")) || dirname(directory) === directory
    ? directory
    : nearest(dirname(directory))

/** The directory that this program is installed in: the nearest one above its code that holds a `package.json`. */
export const packageRoot: string = nearest(dirname(fileURLToPath(import.meta.url)))
