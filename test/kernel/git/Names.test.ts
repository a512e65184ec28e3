import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { configurationFile, formatOf, parseEntries } from "../../../src/kernel/git/Configuration.ts"
import { isBranchName } from "../../../src/kernel/git/RefName.ts"
import { compareUrl, remoteAt } from "../../../src/kernel/git/Remote.ts"

const gitTakes = (name: string): boolean => {
  try {
    const args = ["check-ref-format", "--branch", name]
    return (
      execFileSync("git", args, {
        cwd: "/",
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"]
      }).trim() === name
    )
  } catch {
    return false
  }
}

describe("the name of a branch", () => {
  it("may be what people call branches", () => {
    for (const name of [
      "main",
      "feature/a",
      "v1.2.3",
      "muster/task_5d8v0kq2",
      "ü",
      "a@b",
      "a-b_c",
      "#1",
      "@a"
    ]) {
      assert.isTrue(isBranchName(name), name)
      assert.isTrue(gitTakes(name), name)
    }
  })

  it("is nothing that git, a shell or a file system reads otherwise", () => {
    const names = [
      ...[
        "",
        "-",
        "-x",
        "--upload-pack=x",
        "@",
        "@{",
        "@{-1}",
        "a@{b",
        "..",
        "a..b",
        ".a",
        "a/.b",
        "a.",
        "a/",
        "/a"
      ],
      ...[
        "a//b",
        "a.lock",
        "a.lock/b",
        "a b",
        "a~b",
        "a^b",
        "a:b",
        "a?b",
        "a*b",
        "a[b",
        "a\\b",
        "a\nb",
        "a\0b"
      ],
      ...[
        "a\u007fb",
        "HEAD",
        "refs/heads/a",
        "0".repeat(40),
        "f".repeat(64),
        "x".repeat(201),
        "é".repeat(101)
      ],
      "\ud800"
    ]
    for (const name of names) assert.isFalse(isBranchName(name), JSON.stringify(name))
  })

  it("is never one that git refuses", () => {
    const words = FastCheck.stringOf(
      FastCheck.constantFrom("a", "-", ".", "/", "@", "{", "~", "^", " ", "lock", "..", "é", ":"),
      { maxLength: 6 }
    )
    FastCheck.assert(
      FastCheck.property(words, (name) => {
        FastCheck.pre(!name.includes("\0"))
        return !isBranchName(name) || gitTakes(name)
      }),
      { numRuns: 150 }
    )
  })
})

describe("a remote", () => {
  const local = (url: string) =>
    Either.match(remoteAt(url, "/srv/app"), {
      onLeft: () => "refused",
      onRight: (to) => to.path ?? "far"
    })

  it("is https, ssh or a path of this machine", () => {
    assert.strictEqual(local("https://example.com/a.git"), "far")
    assert.strictEqual(local("ssh://git@example.com:22/a.git"), "far")
    assert.strictEqual(local("git@example.com:a/b.git"), "far")
    assert.strictEqual(local("example.com:a"), "far")
    assert.strictEqual(local("/srv/git/a.git"), "/srv/git/a.git")
    assert.strictEqual(local("../git/a:b.git"), "/srv/git/a:b.git")
    assert.strictEqual(local("file:///srv/git/a%20b.git"), "/srv/git/a b.git")
    for (const url of [
      "",
      "-x",
      "ext::sh -c x",
      "fd::1",
      "git://e/x",
      "http://e/x",
      "file://e/x",
      "file:///%00"
    ]) {
      assert.strictEqual(local(url), "refused", url)
    }
    for (const url of [
      "ssh://-oProxyCommand=x/y",
      "https://-x/y",
      "-oProxyCommand=x:y",
      "me@-x:y",
      "a\u0000b"
    ]) {
      assert.strictEqual(local(url), "refused", url)
    }
  })

  it("has one fingerprint, whoever logs in", () => {
    const print = (url: string) => Either.map(remoteAt(url, "/"), ({ fingerprint }) => fingerprint)
    assert.deepStrictEqual(print("https://me:secret@example.com/a.git"), print("https://example.com/a"))
    assert.notDeepEqual(print("https://example.com/a"), print("https://example.com/b"))
  })

  it("has a page for pull requests where its host is known", () => {
    const github = "https://github.com/o/r/compare/main...feature/a%26b?expand=1"
    for (const url of [
      "https://t:s@github.com/o/r.git",
      "git@github.com:o/r.git",
      "ssh://git@github.com/o/r"
    ]) {
      assert.strictEqual(compareUrl(url, "main", "feature/a&b"), github, url)
    }
    assert.match(
      compareUrl("https://gitlab.com/g/s/r.git", "main", "a") ?? "",
      /^https:\/\/gitlab\.com\/g\/s\/r\/-\//
    )
    assert.isUndefined(compareUrl("https://git.example.com/o/r.git", "main", "a"))
    assert.isUndefined(compareUrl("/srv/git/a.git", "main", "a"))
  })
})

describe("the configuration of a repository", () => {
  it("is read as data, of which git is told a few facts and nothing else", () => {
    const entries = parseEntries(
      "core.bare\0filter.a=b.clean\ntouch x\0core.sharedrepository\ngroup\0filter.two\nlines.smudge\nx\0"
    )
    assert.deepInclude(entries, { key: "core.bare", value: "true" })
    assert.deepInclude(entries, { key: "filter.a=b.clean", value: "touch x" })
    const format = Either.getOrThrow(formatOf(entries, false))
    assert.deepStrictEqual(format, {
      bare: true,
      objectFormat: "sha1",
      refStorage: "files",
      shared: "group"
    })
    const file = configurationFile(format)
    assert.include(file, '[core]\n\tbare = "true"\n')
    assert.include(file, '[core]\n\tsharedRepository = "group"\n')
    assert.notInclude(file, "filter")
    assert.notInclude(file, "touch")
  })

  it("that asks for more than git's known formats is not guessed at", () => {
    const refused = [
      [["core.repositoryformatversion", "2"]],
      [["core.repositoryformatversion", "x\n[alias]"]],
      [
        ["core.repositoryformatversion", "1"],
        ["extensions.future", "true"]
      ],
      [
        ["core.repositoryformatversion", "1"],
        ["extensions.objectformat", 'sha1"\n[core]']
      ],
      [["extensions.refstorage", "elsewhere"]]
    ]
    for (const pairs of refused) {
      const entries = pairs.map(([key = "", value = ""]) => ({ key, value }))
      assert.isTrue(Either.isLeft(formatOf(entries, false)), JSON.stringify(pairs))
    }
    const known = [
      { key: "core.repositoryformatversion", value: "1" },
      { key: "extensions.objectformat", value: "sha256" },
      { key: "extensions.worktreeconfig", value: "true" },
      { key: "extensions.partialclone", value: "origin" }
    ]
    const file = configurationFile(Either.getOrThrow(formatOf(known, false)))
    assert.include(file, '[extensions]\n\tobjectFormat = "sha256"\n')
    assert.notInclude(file.toLowerCase(), "worktreeconfig")
    assert.notInclude(file.toLowerCase(), "partialclone")
  })
})
