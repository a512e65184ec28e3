import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect, type Scope } from "effect"
import { configurationFile, type Format } from "./Configuration.ts"
import { headOf } from "./GitDirectory.ts"

/*
 * A repository as the service's git sees it: a directory that leads to the repository's objects and refs and has a
 * configuration, attributes and (no) hooks of its own. Git uses it as the part that worktrees share (GIT_COMMON_DIR),
 * or as the repository on the other side of a fetch or a push. The repository's own configuration, hooks, attributes
 * and remotes are not in it, whoever wrote them and whenever.
 */

/** Files that may be missing and that git then makes: it follows the link. */
const openFiles = ["packed-refs", "shallow"]

/** Directories that are linked only when they exist. */
const directories = ["objects", "refs", "reftable", "logs", "worktrees"]

/** How the content of files is taken into the repository. */
export type Conversion = "as-committed" | "raw"

/**
 * Attributes that override every attributes file of a work tree. `raw`: the bytes of a file go in as they are on disk,
 * even where the work tree declares an encoding that they don't have.
 */
const attributes: Readonly<Record<Conversion, string>> = {
  "as-committed": "",
  raw: "* -text !eol -ident -filter -working-tree-encoding\n"
}

/** Makes a view of a repository for the life of the scope, and gives its path. */
export const makeView = (
  files: FileSystem.FileSystem,
  views: string,
  commonDir: string,
  format: Format,
  conversion: Conversion
): Effect.Effect<string, PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    const view = yield* files.makeTempDirectoryScoped({ directory: views, prefix: "view-" })
    const link = (name: string) => files.symlink(join(commonDir, name), join(view, name))
    const linkPresent = (name: string) =>
      Effect.whenEffect(
        link(name),
        Effect.orElseSucceed(files.exists(join(commonDir, name)), () => false)
      )
    yield* files.makeDirectory(join(view, "info"))
    yield* Effect.all(
      [
        ...openFiles.map(link),
        ...directories.map(linkPresent),
        files.symlink(join(commonDir, "info", "exclude"), join(view, "info", "exclude")),
        files.writeFileString(join(view, "info", "attributes"), attributes[conversion]),
        files.writeFileString(join(view, "config"), configurationFile(format)),
        Effect.flatMap(headOf(commonDir), (head = "ref: refs/heads/main") =>
          files.writeFileString(join(view, "HEAD"), `${head}\n`)
        )
      ],
      { concurrency: "unbounded", discard: true }
    )
    return view
  })
