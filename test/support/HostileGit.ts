import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { git, type Repositories, write } from "./Git.ts"

/*
 * Ways in which a repository makes git run a program of its choice. Each leaves a mark of its own in one directory, so
 * that a single run through the product tells which of them got through.
 */

/** Where the marks appear. */
export const marksOf = ({ root }: Pick<Repositories, "root">): string => join(root, "marks")

/** The marks that appeared. */
export const marks = (repos: Repositories): ReadonlyArray<string> =>
  existsSync(marksOf(repos)) ? readdirSync(marksOf(repos)).sort() : []

/** Takes the marks away that something else left. */
export const forget = (repos: Repositories): void => rmSync(marksOf(repos), { recursive: true, force: true })

type Quoted = (name: string) => string

/** A program that leaves a mark; what git hands over is passed on, so that git goes on. */
const program =
  (repos: Repositories): Quoted =>
  (name) => {
    const file = join(repos.root, "programs", name.replace(/[^A-Za-z0-9.-]/g, "_"))
    write(repos.root, `programs/${name.replace(/[^A-Za-z0-9.-]/g, "_")}`, script(repos, name))
    chmodSync(file, 0o755)
    return file
  }

const script = (repos: Repositories, name: string): string =>
  `#!/bin/sh\nmkdir -p '${marksOf(repos)}'\n: > '${marksOf(repos)}/${name.replaceAll("/", "_")}'\n[ -t 0 ] || cat\nexit 0\n`

/** Settings whose value is a program, by the place that they stand in. */
const programSettings = [
  "core.fsmonitor",
  "core.sshCommand",
  "core.editor",
  "core.pager",
  "core.askPass",
  "core.gitProxy",
  "core.alternateRefsCommand",
  "sequence.editor",
  "pager.status",
  "pager.branch",
  "pager.log",
  "pager.config",
  "credential.helper",
  "credential.https://example.com.helper",
  "diff.external",
  "diff.words.command",
  "diff.words.textconv",
  "merge.joined.driver",
  "gpg.program",
  "gpg.openpgp.program",
  "gpg.ssh.program",
  "gpg.x509.program",
  "gpg.ssh.defaultKeyCommand",
  "remote.origin.uploadpack",
  "remote.origin.receivepack",
  "remote.lazy.uploadpack",
  "trailer.signed.command",
  "trailer.signed.cmd",
  "hook.early.command",
  "mergetool.mine.cmd",
  "difftool.mine.cmd",
  "interactive.diffFilter",
  "uploadpack.packObjectsHook",
  "gc.recentObjectsHook",
  "browser.mine.cmd",
  "web.browser"
]

/** Settings that ask for what the programs above do. */
const companions: ReadonlyArray<readonly [string, string]> = [
  ["commit.gpgSign", "true"],
  ["tag.gpgSign", "true"],
  ["push.gpgSign", "if-asked"],
  ["rebase.autoSquash", "true"],
  ["rebase.updateRefs", "true"],
  ["status.showUntrackedFiles", "no"],
  ["submodule.recurse", "true"],
  ["fetch.recurseSubmodules", "true"],
  ["hook.early.event", "pre-push"],
  ["remote.lazy.url", "/nonexistent"],
  ["gc.auto", "1"],
  ["maintenance.strategy", "incremental"]
]

const hooks = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-applypatch",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-receive",
  "post-rewrite",
  "post-update",
  "pre-applypatch",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "pre-push",
  "pre-rebase",
  "pre-receive",
  "prepare-commit-msg",
  "proc-receive",
  "push-to-checkout",
  "reference-transaction",
  "update"
]

const plantHooks = (repos: Repositories, directory: string, prefix: string): ReadonlyArray<string> => {
  mkdirSync(directory, { recursive: true })
  return hooks.map((hook) => {
    writeFileSync(join(directory, hook), script(repos, `${prefix}.${hook}`))
    chmodSync(join(directory, hook), 0o755)
    return `${prefix}.${hook}`
  })
}

/** Filters, by the names of their drivers: odd ones too. */
const drivers = ["plain", "od=d", "with space", "with.dot", 'q"uote']

const filters = (of: Quoted, driver: string): ReadonlyArray<readonly [string, string]> =>
  (["clean", "smudge", "process"] as const).map((kind) => [
    `filter.${driver}.${kind}`,
    `'${of(`filter.${driver}.${kind}`)}'`
  ])

/** Makes the primary repository and its origin hostile. Gives the names of all that was planted. */
export const plant = (repos: Repositories): ReadonlyArray<string> => {
  const of = program(repos)
  const planted: Array<string> = []
  const set = (key: string, value: string, ...where: ReadonlyArray<string>): void => {
    git(repos.primary, "config", ...where, key, value)
    planted.push(key)
  }
  // What is committed, and what the repository's own attributes say: every file passes a filter.
  git(repos.other, "pull", "--quiet", "origin", "main")
  write(repos.other, ".gitattributes", "* filter=plain diff=words merge=joined\n*.od filter=od=d\n")
  git(repos.other, "add", ".gitattributes")
  git(repos.other, "commit", "--quiet", "-m", "Add attributes")
  git(repos.other, "push", "--quiet", "origin", "main")

  for (const key of programSettings) set(key, `'${of(key)}'`)
  set("credential.helper", `!'${of("credential.shell")}'`, "--add")
  set("submodule.lib.update", `!'${of("submodule.update")}'`)
  for (const name of ["status", "fetch", "push", "rebase", "merge", "worktree", "rev-parse", "config"]) {
    set(`alias.${name}`, `!'${of(`alias.${name}`)}'`)
  }
  set(`remote.${repos.origin}.uploadpack`, `'${of("remote.url.uploadpack")}'`)
  set(`remote.${repos.origin}.receivepack`, `'${of("remote.url.receivepack")}'`)
  for (const driver of drivers) for (const [key, value] of filters(of, driver)) set(key, value)
  for (const [key, value] of companions) git(repos.primary, "config", key, value)

  const hidden = join(repos.root, "included")
  git(repos.root, "config", "--file", hidden, "filter.included.clean", `'${of("include.path")}'`)
  git(repos.root, "config", "--file", hidden, "core.fsmonitor", `'${of("include.fsmonitor")}'`)
  set("include.path", hidden)
  set(`includeIf.gitdir:${repos.root}/.path`, hidden)
  writeFileSync(
    join(repos.primary, ".git/info/attributes"),
    "*.inc filter=included\n*.sp filter=with space\n*.dot filter=with.dot\n"
  )

  planted.push(...plantHooks(repos, join(repos.primary, ".git/hooks"), "hooks"))
  planted.push(...plantHooks(repos, join(repos.root, "hooks-path"), "hooksPath"))
  set("core.hooksPath", join(repos.root, "hooks-path"))
  planted.push(...plantHooks(repos, join(repos.origin, "hooks"), "origin"))
  git(repos.origin, "config", "core.fsmonitor", `'${of("origin.fsmonitor")}'`)
  git(repos.origin, "config", "core.alternateRefsCommand", `'${of("origin.alternateRefs")}'`)
  git(repos.origin, "config", "uploadpack.packObjectsHook", `'${of("origin.packObjectsHook")}'`)
  planted.push("origin.fsmonitor", "origin.alternateRefs", "origin.packObjectsHook")
  return planted
}

/** Makes a worktree hostile, as an agent that works in it could. Gives the names of what was planted. */
export const plantInside = (repos: Repositories, path: string): ReadonlyArray<string> => {
  const of = program(repos)
  git(repos.primary, "config", "extensions.worktreeConfig", "true")
  const config = join(git(path, "rev-parse", "--absolute-git-dir"), "config.worktree")
  const scoped = [
    ["core.fsmonitor", "worktree.fsmonitor"],
    ["filter.scoped.clean", "worktree.filter.clean"],
    ["filter.scoped.process", "worktree.filter.process"],
    ["core.sshCommand", "worktree.sshCommand"]
  ] as const
  for (const [key, name] of scoped) git(path, "config", "--file", config, key, `'${of(name)}'`)
  appendFileSync(join(path, ".gitattributes"), "*.scoped filter=scoped\n")
  git(path, "config", "--file", config, "core.worktree", join(repos.root, "elsewhere"))
  write(repos.root, "elsewhere/precious")
  // A repository inside, with programs of its own.
  const nested = join(path, "nested")
  git(repos.root, "init", "--quiet", nested)
  write(nested, "inner")
  git(nested, "-c", "core.hooksPath=/dev/null", "add", "inner")
  git(nested, "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Inner")
  git(nested, "config", "core.fsmonitor", `'${of("nested.fsmonitor")}'`)
  git(nested, "config", "filter.n.clean", `'${of("nested.filter")}'`)
  write(nested, ".gitattributes", "* filter=n\n")
  write(nested, "inner", "changed\n")
  return [...scoped.map(([, name]) => name), "nested.fsmonitor", "nested.filter", "core.worktree"]
}
