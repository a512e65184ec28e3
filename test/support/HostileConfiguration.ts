import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { marksOf } from "./HostileGit.ts"

/*
 * Every key of git's configuration, from git's own documentation: what the git of this machine lists with
 * `git help --config`, placeholders included. Nobody chose what stands in it, and a newer git brings newer keys.
 */

/** The keys as git documents them: `rebase.instructionFormat`, `filter.<driver>.clean`, `alias.*`. */
export const documentedKeys: ReadonlyArray<string> = execFileSync("git", ["help", "--config"], {
  encoding: "utf8",
  env: { PATH: process.env["PATH"], GIT_PAGER: "cat" }
})
  .split("\n")
  // What git's own parser does not take for a key (gitweb.remote_heads) stands in no file that git can read.
  .filter((line) => /^[A-Za-z][^_ ]*$/.test(line))

/** Keys that run, format or expand something and that this list of git's does not have. */
export const undocumentedKeys: ReadonlyArray<string> = [
  "filter.<driver>.process",
  "filter.<driver>.required",
  "hook.<name>.command",
  "hook.<name>.event",
  "trailer.<token>.cmd",
  "trailer.<token>.command",
  "gc.recentObjectsHook",
  "tar.<format>.command",
  "credential.<url>.helper",
  "credential.<url>.username",
  "http.<url>.proxy",
  "http.<url>.extraHeader",
  "http.<url>.saveCookies",
  "core.gitProxy",
  "branch.<name>.rebase",
  "merge.default",
  "diff.<driver>.trustExitCode",
  "uploadpack.packObjectsHook",
  "transfer.bundleURI",
  "extensions.partialClone",
  "extensions.worktreeConfig"
]

/** What a place for configuration holds: section, subsection when there is one, name and value. */
export interface Planted {
  readonly key: string
  readonly section: string
  readonly subsection?: string
  readonly name: string
  readonly value: string
}

const filled = (part: string): string => part.replace(/<[^>]*>|\*/g, "planted")

/** What makes git format, rather than run, its value: the line that follows is a command to a list of a rebase. */
const isFormat = (key: string): boolean => /format$|pretty|date$|^log\./i.test(key)

/**
 * One hostile setting for each key: its value is a program that leaves a mark with the name of the key, in the form in
 * which the key would run it.
 */
export const hostile = (
  root: string,
  prefix: string,
  keys: ReadonlyArray<string>
): ReadonlyArray<Planted> => {
  const programs = join(root, "programs")
  const script = join(programs, "leave-a-mark")
  if (!existsSync(script)) {
    mkdirSync(programs, { recursive: true })
    writeFileSync(
      script,
      `#!/bin/sh\nmkdir -p '${marksOf({ root })}'\n: > '${marksOf({ root })}'/"$(basename "$0")"\n[ -t 0 ] || cat\nexit 0\n`
    )
    chmodSync(script, 0o755)
  }
  return keys.map((key) => {
    const [section = "", ...rest] = key.split(".")
    const name = filled(rest.at(-1) ?? "planted")
    const subsection = rest.slice(0, -1).map(filled).join(".")
    const program = join(programs, `${prefix}.${key}`.replace(/[^A-Za-z0-9.-]/g, "_"))
    if (!existsSync(program)) symlinkSync(script, program)
    const runs = section === "alias" || /\.update$|helper$/.test(key) ? `!${program}` : program
    const value = isFormat(key) ? `%s%nexec ${program}` : runs
    return { key, section: filled(section), name, value, ...(subsection === "" ? {} : { subsection }) }
  })
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

/** Settings as a file of configuration, as an editor would write it. */
export const asFile = (settings: ReadonlyArray<Planted>): string =>
  settings
    .map(({ name, section, subsection, value }) => {
      const head = subsection === undefined ? section : `${section} ${quoted(subsection)}`
      return `[${head}]\n\t${name} = ${quoted(value)}\n`
    })
    .join("")

/** Adds settings to a file of configuration, and gives what takes them away again for as long as an effect takes. */
export const plantIn = (file: string, settings: ReadonlyArray<Planted>) => {
  const before = existsSync(file) ? readFileSync(file, "utf8") : ""
  const after = `${before}${asFile(settings)}`
  writeFileSync(file, after)
  return {
    /** Does what a person's git does, which would obey the settings or stumble over them. */
    calmly: <A>(does: () => A): A => {
      const hostileNow = readFileSync(file, "utf8")
      writeFileSync(file, before)
      try {
        return does()
      } finally {
        writeFileSync(file, hostileNow)
      }
    }
  }
}
