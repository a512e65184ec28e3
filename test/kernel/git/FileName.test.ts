import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { listOf, nameIn, recordsOf, shown } from "../../../src/kernel/git/FileName.ts"
import { temporaryDirectory } from "../../support/World.ts"

const bytes = FastCheck.array(FastCheck.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 30 }).map(
  (codes) => nameIn(String.fromCharCode(...codes))
)

describe("the name of a file", () => {
  it("goes to git and comes back as the bytes that it is", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(bytes), (names) => {
        assert.deepStrictEqual(recordsOf(listOf(names)), names)
      })
    )
  })

  it("is shown as it is where it is text, and no two names are shown alike", () => {
    const name = (text: string) => nameIn(Buffer.from(text).toString("latin1"))
    for (const text of ["README", "a b", "späße/ü.txt", "日本語", "-f", "👍"])
      assert.strictEqual(shown(name(text)), text)
    assert.strictEqual(shown(name('a"b')), '"a\\"b"')
    assert.strictEqual(shown(name("ü\n")), '"\\303\\274\\n"')
    assert.strictEqual(shown(nameIn("caf\xe9")), '"caf\\351"')
    FastCheck.assert(
      FastCheck.property(bytes, bytes, (one, other) => one === other || shown(one) !== shown(other))
    )
  })

  it.scoped("that is no text is shown as git shows it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const git = (args: ReadonlyArray<string>, input?: Buffer) =>
        execFileSync("git", args, { cwd: directory, encoding: "utf8", ...(input && { input }) })
      git(["init", "--quiet"])
      const blob = git(["hash-object", "-w", "--stdin"], Buffer.from("x")).trim()
      const names = ["caf\xe9", "\xff", "a\t\x01\xfe", 'b"\\\xc3'].map((name) => nameIn(name))
      const entries = names.map((name) => `100644 ${blob}\t${name}\0`).join("")
      git(["update-index", "-z", "--index-info"], Buffer.from(entries, "latin1"))
      const listed = git(["ls-files"]).trim().split("\n")
      assert.sameMembers(listed, names.map(shown))
    })
  )
})
