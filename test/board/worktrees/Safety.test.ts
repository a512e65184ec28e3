import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { ask, createTask } from "../../support/Board.ts"
import {
  commit,
  configure,
  git,
  makeRepositories,
  type Repositories,
  withWorktree,
  write
} from "../../support/Git.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

interface Place {
  readonly repos: Repositories
  readonly id: string
  readonly path: string
}

/** A state that a worktree can be in, and what a removal then meets. */
interface State {
  readonly name: string
  readonly prepare: (place: Place) => Effect.Effect<void, never, Scope.Scope>
  readonly blockers: ReadonlyArray<string>
  /** Set when not even an administrator may go past it. */
  readonly final?: true
  /** What must still be there after a forced removal, from the commit that it names, the files that it kept, or both. */
  readonly saved?: (place: Place & { readonly ref: string; readonly trash: string }) => void
}

const does = (prepare: (place: Place) => unknown) => (place: Place) =>
  Effect.sync(() => {
    prepare(place)
  })
const inRef =
  (file: string, content: string) =>
  ({ ref, repos }: Place & { readonly ref: string }): void =>
    assert.strictEqual(git(repos.primary, "show", `${ref}:${file}`), content)

/** Names as bytes, one character for each: Latin-1, a lone byte, and UTF-8 that is cut off. */
const oddNames = ["caf\xe9", "\xff", 'a\n"\xe2\x82'] as const

const bytesOf = (directory: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")])

/** The files of a commit with their contents, both as bytes. */
const treeOf = ({ primary }: Repositories, ref: string): Readonly<Record<string, string>> => {
  const run = (...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd: primary, encoding: "latin1" })
  const entries = run("ls-tree", "-r", "-z", ref)
    .split("\0")
    .filter((entry) => entry !== "")
  return Object.fromEntries(
    entries.map((entry) => {
      const [facts = "", name = ""] = entry.split("\t")
      return [name, run("cat-file", "blob", facts.split(" ")[2] ?? "")]
    })
  )
}

const states: ReadonlyArray<State> = [
  { name: "clean", prepare: does(() => undefined), blockers: [] },
  {
    name: "with ignored files alone",
    prepare: does(({ path }) => write(path, "ignored/.env", "KEY=1\n")),
    blockers: []
  },
  {
    name: "with a changed file",
    prepare: does(({ path }) => write(path, "README", "Changed\n")),
    blockers: ["dirty"],
    saved: inRef("README", "Changed")
  },
  {
    name: "with a staged file that was changed again",
    prepare: does(({ path }) => {
      write(path, "staged", "first\n")
      git(path, "add", "staged")
      write(path, "staged", "second\n")
    }),
    blockers: ["dirty"],
    saved: ({ ref, repos }) => {
      assert.strictEqual(git(repos.primary, "show", `${ref}:staged`), "second")
      assert.strictEqual(git(repos.primary, "show", `${ref}^2:staged`), "first")
    }
  },
  {
    name: "with a deleted file",
    prepare: does(({ path }) => rmSync(join(path, "README"))),
    blockers: ["dirty"],
    saved: ({ ref, repos }) => assert.notInclude(git(repos.primary, "ls-tree", "--name-only", ref), "README")
  },
  {
    name: "with a file that became a folder",
    prepare: does(({ path }) => {
      rmSync(join(path, "README"))
      write(path, "README/part", "part\n")
    }),
    blockers: ["dirty", "untracked"],
    saved: inRef("README/part", "part")
  },
  {
    name: "with a changed file that git is told not to look at",
    prepare: does(({ path }) => {
      git(path, "update-index", "--skip-worktree", "README")
      write(path, "README", "Hidden\n")
    }),
    blockers: ["dirty"],
    saved: inRef("README", "Hidden")
  },
  {
    name: "with untracked files of odd names",
    prepare: does(({ path }) => {
      write(path, "-f", "option\n")
      write(path, 'a "b"\nc', "odd\n")
      symlinkSync("/etc", join(path, "link"))
    }),
    blockers: ["untracked"],
    saved: (place) => {
      inRef("-f", "option")(place)
      inRef('a "b"\nc', "odd")(place)
      inRef("link", "/etc")(place)
    }
  },
  {
    name: "with files whose names are no UTF-8",
    prepare: does(({ path }) => {
      for (const name of oddNames) writeFileSync(bytesOf(path, name), `${name.length}\n`)
      git(path, "add", ".")
      git(path, "commit", "--quiet", "-m", "Odd names")
      git(path, "push", "--quiet", "origin", "HEAD:main")
      writeFileSync(bytesOf(path, oddNames[0]), "changed\n")
      rmSync(bytesOf(path, oddNames[1]))
      writeFileSync(bytesOf(path, `${oddNames[0]}-new`), "new\n")
      mkdirSync(bytesOf(path, "fol\xffder"))
      writeFileSync(bytesOf(path, "fol\xffder/in\xfeside"), "inside\n")
    }),
    blockers: ["dirty", "untracked"],
    saved: ({ ref, repos, trash }) => {
      assert.deepStrictEqual(treeOf(repos, ref), {
        ".gitignore": "ignored/\n",
        README: "Hello\n",
        [oddNames[0]]: "changed\n",
        [`${oddNames[0]}-new`]: "new\n",
        [oddNames[2]]: `${oddNames[2].length}\n`,
        "fol\xffder/in\xfeside": "inside\n"
      })
      assert.isTrue(existsSync(bytesOf(trash, "fol\xffder/in\xfeside")))
    }
  },
  {
    name: "with bytes that its attributes would not let in as they are",
    prepare: does(({ path }) => {
      write(path, ".gitattributes", "*.w working-tree-encoding=UTF-16\n*.crlf text eol=lf\n*.id ident\n")
      write(path, "broken.w", "odd")
      write(path, "lines.crlf", "one\r\ntwo\r\n")
      write(path, "name.id", "$Id: mine $\n")
    }),
    blockers: ["untracked"],
    saved: ({ ref, repos }) => {
      const saved = treeOf(repos, ref)
      assert.strictEqual(saved["broken.w"], "odd")
      assert.strictEqual(saved["lines.crlf"], "one\r\ntwo\r\n")
      assert.strictEqual(saved["name.id"], "$Id: mine $\n")
    }
  },
  {
    name: "in the middle of a merge",
    prepare: does(({ path, repos }) => {
      commit(path, "README", "Mine\n")
      git(path, "push", "--quiet", "origin", "HEAD:refs/heads/offered")
      git(repos.other, "checkout", "--quiet", "-b", "theirs")
      commit(repos.other, "README", "Theirs\n")
      git(repos.other, "push", "--quiet", "origin", "theirs")
      git(path, "fetch", "--quiet", "origin")
      try {
        git(path, "merge", "origin/theirs")
      } catch {
        // It stops at the conflict.
      }
    }),
    blockers: ["unfinished", "dirty", "unmerged"],
    saved: ({ ref, repos }) => assert.include(treeOf(repos, ref)["README"] ?? "", "<<<<<<<")
  },
  {
    name: "with a commit that nobody else has",
    prepare: does(({ path }) => commit(path, "feature")),
    blockers: ["unpushed", "unmerged"],
    saved: inRef("feature", "feature")
  },
  {
    name: "with a commit that is pushed but not merged",
    prepare: does(({ path }) => {
      commit(path, "feature")
      git(path, "push", "--quiet", "origin", "HEAD")
    }),
    blockers: ["unmerged"],
    saved: inRef("feature", "feature")
  },
  {
    name: "with a stash",
    prepare: does(({ path }) => {
      write(path, "README", "Stashed\n")
      git(path, "stash")
    }),
    blockers: [],
    saved: ({ repos }) => assert.strictEqual(git(repos.primary, "show", "stash@{0}:README"), "Stashed")
  },
  {
    name: "with a repository inside",
    prepare: does(({ path }) => {
      git(path, "init", "--quiet", "inner")
      write(join(path, "inner"), "file", "inner\n")
    }),
    blockers: ["nested-repository"],
    saved: ({ trash }) => assert.strictEqual(readFileSync(join(trash, "inner/file"), "utf8"), "inner\n")
  },
  {
    name: "locked",
    prepare: does(({ path, repos }) => git(repos.primary, "worktree", "lock", path)),
    blockers: ["locked"],
    saved: () => undefined
  },
  {
    name: "in which a process stands",
    prepare: ({ path }) => standing("sleep", ["60"], path),
    blockers: ["externally-held"],
    saved: () => undefined
  },
  {
    name: "of which a process has a file open",
    prepare: ({ path }) => standing("tail", ["-f", join(path, "README")], "/"),
    blockers: ["externally-held"],
    saved: () => undefined
  },
  {
    name: "with another branch",
    prepare: does(({ path }) => git(path, "switch", "--quiet", "-c", `moved-${path.slice(-8)}`)),
    blockers: ["branch-mismatch"],
    final: true
  },
  {
    name: "with no branch",
    prepare: does(({ path }) => git(path, "switch", "--quiet", "--detach")),
    blockers: ["branch-mismatch"],
    final: true
  },
  {
    name: "replaced by a plain directory",
    prepare: does(({ path }) => {
      rmSync(path, { recursive: true })
      mkdirSync(path)
      write(path, "theirs")
    }),
    blockers: ["manifest-mismatch"],
    final: true
  },
  {
    name: "replaced by a symbolic link",
    prepare: does(({ path, repos }) => {
      rmSync(path, { recursive: true })
      symlinkSync(repos.other, path)
    }),
    blockers: ["manifest-mismatch"],
    final: true
  },
  {
    name: "whose link leads to another Git directory",
    prepare: does(({ path, repos }) => write(path, ".git", `gitdir: ${join(repos.other, ".git")}\n`)),
    blockers: ["manifest-mismatch"],
    final: true
  },
  {
    name: "that somebody removed by hand",
    prepare: does(({ path }) => rmSync(path, { recursive: true })),
    blockers: []
  }
]

const standing = (file: string, args: ReadonlyArray<string>, cwd: string) =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof spawn>>((resume) => {
        const child = spawn(file, args, { cwd, stdio: "ignore" })
        child.once("spawn", () => resume(Effect.zipRight(untilOpen(child.pid, args), Effect.succeed(child))))
      }),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
  )

/** A process that was just spawned has yet to open its file. */
const untilOpen = (pid: number | undefined, args: ReadonlyArray<string>) =>
  args[0] === "-f"
    ? Effect.repeat(Effect.sleep("2 millis"), { until: () => existsSync(`/proc/${pid}/fd/3`) })
    : Effect.void

const codes = (blockers: ReadonlyArray<{ readonly code: string }>) => blockers.map(({ code }) => code)

describe("the removal of a worktree", () => {
  layer(world(), { excludeTestServices: true })((it) => {
    it.scoped.each(states)("$name", ({ blockers, final, name, prepare, saved }) =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = makeRepositories(yield* temporaryDirectory)
        const repo = `r${states.findIndex((state) => state.name === name)}`
        yield* configure(repos, repo)
        const { created, id, path } = yield* withWorktree(repo)
        const place = { repos, id, path }
        yield* prepare(place)
        const at = `/api/tasks/${id}/worktree`

        const preview = yield* ask("GET", `${at}/cleanup-preview`)
        assert.deepStrictEqual(codes(preview.blockers), blockers)
        assert.strictEqual(preview.removable, blockers.length === 0)
        const refusal = yield* request("DELETE", `${at}?force=true&reason=${repo}`)
        assert.strictEqual(refusal.status, 403)
        assert.notProperty(refusal.body.details, "blockers")
        assert.strictEqual((yield* request("DELETE", `${at}?force=true`, { as: "admin" })).status, 400)

        const plain = yield* request("DELETE", at)
        if (blockers.length === 0) {
          assert.strictEqual(plain.status, 200, JSON.stringify(plain.body))
          assert.isFalse(existsSync(path))
          if (name.includes("ignored")) {
            const { trash } = plain.body.removal
            assert.strictEqual(readFileSync(join(trash.path, "ignored/.env"), "utf8"), "KEY=1\n")
          } else assert.notProperty(plain.body.removal, "trash")
          assert.strictEqual(
            git(repos.primary, "rev-parse", created.manifest.branch),
            created.manifest.baseCommit
          )
          saved?.({ ...place, ref: "", trash: "" })
          return
        }
        assert.strictEqual(plain.status, 409)
        assert.deepStrictEqual(codes(plain.body.details.blockers), blockers)
        assert.strictEqual(plain.body.details.overridable, final !== true)

        const forced = yield* request("DELETE", `${at}?force=true&reason=${repo}`, { as: "admin" })
        if (final === true) {
          assert.strictEqual(forced.status, 409)
          assert.isFalse(forced.body.details.overridable)
          assert.isTrue(existsSync(path))
          return
        }
        assert.strictEqual(forced.status, 200, JSON.stringify(forced.body))
        assert.isFalse(existsSync(path))
        assert.notInclude(git(repos.primary, "worktree", "list"), path)
        const { recoverable, trash } = forced.body.removal
        assert.match(recoverable.ref, /^refs\/muster\/trash\/worktree_\w+\/1$/)
        saved?.({ ...place, ref: recoverable.ref, trash: trash.path })
        const evidence = yield* ask("GET", at)
        assert.deepInclude(evidence.manifest.removal, { forced: true, reason: repo, requestedBy: "admin" })
        const again = yield* ask("POST", at, { body: {} })
        assert.strictEqual(again.manifest.lifecycleState, "active")
      })
    )

    it.scoped("is not hidden in the deletion or the archiving of its task", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = makeRepositories(yield* temporaryDirectory)
        yield* configure(repos, "held")
        const { id, path } = yield* withWorktree("held")
        const refused = yield* request("DELETE", `/api/tasks/${id}`, { as: "admin" })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.body.error, "worktree")
        yield* ask("POST", `/api/tasks/${id}/archive`)
        assert.isTrue(existsSync(path))
        yield* ask("DELETE", `/api/tasks/${id}/worktree`)
        yield* ask("DELETE", `/api/tasks/${id}`, { as: "admin" })
        yield* createTask({ id })
        assert.strictEqual((yield* request("GET", `/api/tasks/${id}/worktree`)).status, 404)
      })
    )
  })
})
