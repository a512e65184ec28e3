/*
 * A repository's configuration is input from strangers: it can name programs that git then runs. Every call of git
 * carries these overrides, which stand above all files, so that no name reaches a program.
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

/** What holds for every repository. */
const fixed: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.alternateRefsCommand": ":",
  "core.askPass": "",
  "core.attributesFile": "/dev/null",
  "core.editor": ":",
  "core.excludesFile": "/dev/null",
  "core.gitProxy": "",
  "core.pager": "cat",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  "core.sparseCheckout": "false",
  "core.sshCommand": "ssh",
  "credential.helper": "",
  "credential.interactive": "false",
  "commit.gpgSign": "false",
  "diff.external": "",
  "diff.ignoreSubmodules": "dirty",
  "fetch.fsckObjects": "false",
  "fetch.prune": "false",
  "fetch.recurseSubmodules": "false",
  "fetch.writeCommitGraph": "false",
  "gc.auto": "0",
  "gpg.program": "false",
  "gpg.ssh.defaultKeyCommand": "false",
  "http.saveCookies": "false",
  "log.showSignature": "false",
  "maintenance.auto": "false",
  "merge.renormalize": "false",
  "merge.verifySignatures": "false",
  "push.followTags": "false",
  "push.gpgSign": "false",
  "push.recurseSubmodules": "no",
  "rebase.autoSquash": "false",
  "rebase.autoStash": "false",
  "rebase.rebaseMerges": "false",
  "rebase.updateRefs": "false",
  "rerere.enabled": "false",
  "sequence.editor": ":",
  "submodule.recurse": "false",
  "tag.gpgSign": "false",
  "transfer.bundleURI": "false",
  "worktree.guessRemote": "false"
}

/** A merge of text as git does it by itself. */
const textMerge = "git merge-file --quiet --marker-size=%L %A %O %B"

/** Settings whose names hold a name that the repository chose: each one that is there is overridden by its name. */
const families: ReadonlyArray<readonly [RegExp, string]> = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ""],
  [/^filter\..*\.required$/s, "false"],
  [/^diff\..*\.(?:command|textconv)$/s, ""],
  [/^merge\..*\.driver$/s, textMerge],
  [/^credential\..*\.helper$/s, ""],
  [/^gpg\..*\.program$/s, "false"],
  [/^hook\..*\.command$/s, ":"],
  [/^hook\..*\.enabled$/s, "false"],
  [/^http\..*\.savecookies$/s, "false"],
  [/^remote\..*\.uploadpack$/s, "git-upload-pack"],
  [/^remote\..*\.receivepack$/s, "git-receive-pack"],
  [/^submodule\..*\.update$/s, "none"],
  [/^trailer\..*\.(?:cmd|command)$/s, ""]
]

const overrideOf = (key: string): string | undefined => families.find(([pattern]) => pattern.test(key))?.[1]

/** The settings that take the repository's programs away, as git reads them from its environment. */
export const overrides = (entries: ReadonlyArray<Entry>): Readonly<Record<string, string>> => {
  const named = new Map(Object.entries(fixed))
  for (const { key } of entries) {
    const value = overrideOf(key)
    if (value !== undefined) named.set(key, value)
  }
  const pairs = [...named].flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value]
  ])
  return { GIT_CONFIG_COUNT: String(named.size), ...Object.fromEntries(pairs) }
}
