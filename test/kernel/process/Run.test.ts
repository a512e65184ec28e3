import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { ordinaryEnvironment } from "../../../src/kernel/process/Launch.ts"
import { type Command, run } from "../../../src/kernel/process/Run.ts"

const shell = (script: string, rest: Partial<Command> = {}): Command => ({
  file: "/bin/sh",
  args: ["-c", script],
  cwd: "/",
  env: { PATH: "/usr/bin:/bin" },
  timeout: "10 seconds",
  outputLimit: 100_000,
  ...rest
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const untilDead = (pid: number) => Effect.repeat(Effect.sleep("2 millis"), { while: () => isAlive(pid) })

describe("a child process", () => {
  it.live("gives what it wrote and how it ended, and sees nothing but its environment", () =>
    Effect.gen(function* () {
      const command = shell('cat; echo "$HOME-$ONE"; echo bad >&2; exit 3', {
        env: { ONE: "1" },
        input: "in\n"
      })
      assert.deepStrictEqual(yield* run(command), { exitCode: 3, stdout: "in\n-1\n", stderr: "bad\n" })
    })
  )

  it.live("is stopped at its limits", () =>
    Effect.gen(function* () {
      const reason = (command: Command) => Effect.map(Effect.flip(run(command)), (error) => error.reason)
      assert.strictEqual(yield* reason(shell("sleep 60", { timeout: "100 millis" })), "timed-out")
      assert.strictEqual(yield* reason(shell("yes", { outputLimit: 1_000 })), "too-much-output")
      assert.strictEqual(yield* reason(shell("kill -9 $$")), "killed")
      assert.strictEqual(yield* reason(shell("", { file: "/nonexistent" })), "not-started")
      assert.strictEqual(yield* reason(shell("", { cwd: "/nonexistent" })), "not-started")
    })
  )

  it.live("takes what it started with it: at its end, at a limit and when nobody waits any more", () =>
    Effect.gen(function* () {
      const left = yield* run(shell("sleep 60 & echo $!"))
      yield* untilDead(Number(left.stdout))
      const fiber = yield* Effect.fork(run(shell("sleep 61 & wait")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      const found = yield* run(shell("pgrep -f '^sleep 61$' || true"))
      if (found.stdout.trim() !== "") yield* untilDead(Number(found.stdout.trim()))
    })
  )

  it("hands no secret of the server to an editor", () => {
    assert.deepStrictEqual(ordinaryEnvironment({ PATH: "/bin", SERVICE_ADMIN_KEY: "k", GITHUB_TOKEN: "t" }), {
      PATH: "/bin"
    })
  })
})
