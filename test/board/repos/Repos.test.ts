import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/Board.ts"
import { git, makeRepositories } from "../../support/Git.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

describe("the repositories of the board", () => {
  layer(world(), { excludeTestServices: true })((it) => {
    const add = (body: object) =>
      Effect.flatMap(World, ({ request }) => request("POST", "/api/config/repos", { as: "admin", body }))
    const validate = (body: object) => ask("POST", "/api/config/repos/validate", { as: "admin", body })

    it.scoped("are added, changed and taken off, each by its name", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const admin = { as: "admin" } as const
        const { body, status } = yield* add({ name: "app", path: "/srv/app" })
        assert.strictEqual(status, 201)
        assert.deepStrictEqual(body, { name: "app", path: "/srv/app", defaultBranch: "main" })
        assert.strictEqual((yield* add({ name: "app", path: "/srv/other" })).status, 409)
        yield* add({ name: "api", path: "/srv/api", defaultBranch: "trunk" })
        const names = Effect.map(ask("GET", "/api/config/repos"), (repos) =>
          repos.map(({ name }: { name: string }) => name)
        )
        assert.deepStrictEqual(yield* names, ["api", "app"])
        const patch = (name: string, change: object) =>
          request("PATCH", `/api/config/repos/${name}`, { ...admin, body: change })
        const patched = yield* patch("app", { name: "web", defaultBranch: "next" })
        assert.deepStrictEqual(patched.body, { name: "web", path: "/srv/app", defaultBranch: "next" })
        assert.strictEqual((yield* patch("web", { name: "api" })).status, 409)
        assert.strictEqual((yield* patch("app", {})).status, 404)
        assert.strictEqual((yield* request("DELETE", "/api/config/repos/app", admin)).status, 404)
        assert.strictEqual((yield* request("DELETE", "/api/config/repos/web", admin)).status, 204)
        assert.deepStrictEqual(yield* names, ["api"])
      })
    )

    it.scoped("are settings: whoever reads those sees them, whoever writes those changes them", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const body = { name: "mine", path: "/srv/mine" }
        assert.strictEqual((yield* request("GET", "/api/config/repos", { as: "read-only" })).status, 200)
        assert.strictEqual((yield* request("POST", "/api/config/repos", { body })).status, 403)
        assert.strictEqual((yield* request("POST", "/api/config/repos/validate", { body })).status, 403)
      })
    )

    it.scoped("have names, paths and branches that git can use", () =>
      Effect.gen(function* () {
        const bodies = [
          {},
          { name: "x" },
          { name: "", path: "/srv" },
          { name: "-x", path: "/srv" },
          { name: "a/b", path: "/srv" },
          { name: "x", path: "srv" },
          { name: "x", path: "/a\nb" },
          { name: "x", path: `/${"x".repeat(1_000)}` },
          { name: "x", path: "/srv", defaultBranch: "-d" },
          { name: "x", path: "/srv", defaultBranch: "a..b" }
        ]
        for (const body of bodies) assert.strictEqual((yield* add(body)).status, 400, JSON.stringify(body))
      })
    )

    it.scoped("are looked at without a word of judgement in the status", () =>
      Effect.gen(function* () {
        const repos = makeRepositories(yield* temporaryDirectory)
        git(repos.primary, "branch", "next")
        assert.deepStrictEqual(yield* validate({ path: repos.primary, defaultBranch: "main" }), {
          valid: true,
          branches: ["main", "next"],
          errors: []
        })
        assert.isTrue((yield* validate({ path: repos.origin })).valid)
        const inner = join(repos.primary, "inner")
        mkdirSync(inner)
        const link = join(repos.root, "linked")
        git(repos.primary, "worktree", "add", "--quiet", "--detach", link)
        symlinkSync(repos.primary, join(repos.root, "symbolic"))
        assert.isTrue((yield* validate({ path: join(repos.root, "symbolic") })).valid)
        const invalid = [
          { path: "relative" },
          { path: "/nonexistent" },
          { path: "/etc/passwd" },
          { path: repos.root },
          { path: inner },
          { path: link },
          { path: repos.primary, name: "a b" },
          { path: repos.primary, defaultBranch: "missing" },
          { path: repos.primary, defaultBranch: "--upload-pack=x" }
        ]
        for (const body of invalid) {
          const verdict = yield* validate(body)
          assert.isFalse(verdict.valid, JSON.stringify(body))
          assert.isAbove(verdict.errors.length, 0)
        }
      })
    )

    it.scoped("tell their branches", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = makeRepositories(yield* temporaryDirectory)
        git(repos.primary, "branch", "feature/a")
        // A name that is no UTF-8 could not be given back.
        const heads = Buffer.from(`${join(repos.primary, ".git/refs/heads")}/`)
        const odd = Buffer.concat([heads, Buffer.from("caf\xe9", "latin1")])
        writeFileSync(odd, `${git(repos.primary, "rev-parse", "main")}\n`)
        yield* add({ name: "branches", path: repos.primary })
        assert.deepStrictEqual(yield* ask("GET", "/api/config/repos/branches/branches"), [
          "feature/a",
          "main"
        ])
        assert.strictEqual((yield* request("GET", "/api/config/repos/nobody/branches")).status, 404)
        yield* add({ name: "broken", path: "/nonexistent" })
        assert.strictEqual((yield* request("GET", "/api/config/repos/broken/branches")).status, 409)
      })
    )
  })
})
