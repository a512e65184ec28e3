import { Either } from "effect"

/*
 * A repository's configuration is input from strangers. It can name programs that git then runs, formats that end up in
 * lists of commands, and settings that make git overlook an edit. A list of what to forbid would only be as good as its
 * author's memory, and the file could change between that check and git's own reading. So git never opens it: it works
 * by a configuration of the service's own (see `View.ts`), to which a repository adds the few facts that are named
 * here.
 */

/** One setting as `git config --list` tells it: `section.subsection.name`, the outer two in lower case. */
export interface Entry {
  readonly key: string
  readonly value: string
}

/** Reads what `git config --list -z` wrote. A setting without a value is `true`. */
export const parseEntries = (output: string): ReadonlyArray<Entry> =>
  output
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const end = record.indexOf("\n")
      return end === -1
        ? { key: record, value: "true" }
        : { key: record.slice(0, end), value: record.slice(end + 1) }
    })

/**
 * The configuration that git runs with for the service, whatever the repository. Everything else has git's own
 * defaults.
 */
export const settings: Readonly<Record<string, string>> = {
  // Nothing is run that the service did not ask for.
  "core.alternateRefsCommand": ":",
  "core.askPass": "",
  "core.attributesFile": "/dev/null",
  "core.editor": ":",
  "core.excludesFile": "/dev/null",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "receive.autogc": "false",
  "sequence.editor": ":",
  "transfer.bundleURI": "false",
  // Every edit is seen, even one of the same size within the same second; no cache and no monitor is believed.
  "core.checkStat": "default",
  "core.commitGraph": "false",
  "core.ignoreStat": "false",
  "core.preloadIndex": "true",
  "core.sparseCheckout": "false",
  "core.trustctime": "true",
  "core.untrackedCache": "false",
  "diff.ignoreSubmodules": "dirty",
  "index.sparse": "false",
  // The todo list of a rebase holds ids only, no text of a commit.
  "rebase.abbreviateCommands": "false",
  "rebase.autoSquash": "false",
  "rebase.autoStash": "false",
  "rebase.instructionFormat": "%H",
  "rebase.rebaseMerges": "false",
  "rebase.updateRefs": "false",
  "commit.gpgSign": "false",
  "merge.renormalize": "false",
  "rerere.enabled": "false",
  // Fetches and pushes move only what was asked for, and never make origin lose a commit.
  "fetch.prune": "false",
  "fetch.recurseSubmodules": "false",
  "push.followTags": "false",
  "push.gpgSign": "false",
  "push.recurseSubmodules": "no",
  "receive.denyCurrentBranch": "refuse",
  "receive.updateServerInfo": "false",
  "submodule.recurse": "false",
  // Names that mean something else on another system never get into a work tree.
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  "worktree.guessRemote": "false"
}

/** The facts of a repository without which git would misread it. Everything else that it configures stays unread. */
export interface Format {
  readonly bare: boolean
  readonly objectFormat: "sha1" | "sha256"
  readonly refStorage: "files" | "reftable"
  /** `core.sharedRepository`: who else may read and write new files of the repository. */
  readonly shared: "group" | "all" | undefined
}

const isTrue = (value: string): boolean => /^(?:true|yes|on|[1-9]\d*)$/i.test(value)

const sharing: Readonly<Record<string, Format["shared"]>> = {
  "1": "group",
  "2": "all",
  all: "all",
  everybody: "all",
  group: "group",
  true: "group",
  world: "all"
}

/** Extensions that the service's git can ignore: it reads a repository with them as one without. */
const spared = new Set([
  "noop",
  "noop-v1",
  "partialclone",
  "preciousobjects",
  "relativeworktrees",
  "worktreeconfig"
])

/** The facts among the settings of a repository; left, why git would misread it without its other settings. */
export const formatOf = (
  entries: ReadonlyArray<Entry>,
  looksBare: boolean
): Either.Either<Format, string> => {
  const last = new Map(entries.map(({ key, value }) => [key, value]))
  const extension = (name: string): string | undefined => last.get(`extensions.${name}`)?.toLowerCase()
  const version = last.get("core.repositoryformatversion") ?? "0"
  if (!/^[01]$/.test(version)) return Either.left("it has a format that is not known")
  const unknown = [...last.keys()]
    .flatMap((key) => /^extensions\.(.*)$/s.exec(key)?.[1] ?? [])
    .find((name) => !spared.has(name) && name !== "objectformat" && name !== "refstorage")
  if (version === "1" && unknown !== undefined) {
    return Either.left("it needs an extension of git's format that is not known")
  }
  const objectFormat = extension("objectformat") ?? "sha1"
  const refStorage = extension("refstorage") ?? "files"
  if (objectFormat !== "sha1" && objectFormat !== "sha256")
    return Either.left("its object format is not known")
  if (refStorage !== "files" && refStorage !== "reftable") return Either.left("its ref storage is not known")
  const bare = last.get("core.bare")
  return Either.right({
    bare: bare === undefined ? looksBare : isTrue(bare),
    objectFormat,
    refStorage,
    shared: sharing[last.get("core.sharedrepository")?.toLowerCase() ?? ""]
  })
}

const extensionsOf = ({ objectFormat, refStorage }: Format): Readonly<Record<string, string>> => ({
  ...(objectFormat === "sha1" ? {} : { "extensions.objectFormat": objectFormat }),
  ...(refStorage === "files" ? {} : { "extensions.refStorage": refStorage })
})

const line = ([key, value]: readonly [string, string]): string => {
  const [section, name] = key.split(".")
  return `[${section}]\n\t${name} = "${value.replace(/["\\]/g, "\\$&")}"\n`
}

/** The configuration file that git reads for a repository. */
export const configurationFile = (format: Format): string => {
  const extensions = extensionsOf(format)
  return Object.entries({
    "core.repositoryFormatVersion": Object.keys(extensions).length === 0 ? "0" : "1",
    "core.bare": String(format.bare),
    ...(format.shared === undefined ? {} : { "core.sharedRepository": format.shared }),
    ...extensions,
    ...settings
  })
    .map(line)
    .join("")
}
