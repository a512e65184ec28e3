import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Exit, Fiber, Scope, Stream } from "effect"
import { supervise } from "../../../src/kernel/process/Child.ts"
import { isAlive } from "../../../src/kernel/process/Identity.ts"
import { linesOf } from "../../../src/kernel/process/Lines.ts"
import { runScript, runs, script } from "../../support/Child.ts"

const exited = (code: number) => ({ _tag: "Exited" as const, code })
const killed = { _tag: "Signalled" as const, signal: "SIGKILL" }

const linesIn = (stream: Stream.Stream<Uint8Array>) =>
  stream.pipe(
    linesOf(() => 100),
    Stream.mapConcat((lines) => lines.map(({ text }) => text))
  )

const textOf = (stream: Stream.Stream<Uint8Array>) =>
  Effect.map(Stream.runCollect(stream), (parts) => Buffer.concat(Chunk.toReadonlyArray(parts)).toString())

describe("a supervised program", () => {
  it.scopedLive("hears its input, sees its environment alone, and says how it ended", () =>
    Effect.gen(function* () {
      const child = yield* supervise(
        script('cat; echo "$HOME-$ONE"; echo bad >&2; exit 137', { env: { ONE: "1" } })
      )
      assert.isTrue(yield* child.write("in\n"))
      yield* child.endInput
      const [out, bad] = yield* Effect.all([textOf(child.stdout), textOf(child.stderr)], { concurrency: 2 })
      assert.deepStrictEqual([out, bad], ["in\n-1\n", "bad\n"])
      assert.deepStrictEqual(yield* child.ended, exited(137))
      assert.isFalse(yield* isAlive(child.identity))
    })
  )

  it.scopedLive("that can't be started is told", () =>
    Effect.gen(function* () {
      for (const rest of [{ file: "/nonexistent" }, { cwd: "/nonexistent" }, { args: ["a\0b"] }]) {
        const error = yield* Effect.flip(supervise(script("", rest)))
        assert.strictEqual(error.reason, "not-started")
      }
    })
  )

  it.scopedLive("may read none of its input, and close its output: neither is a fault", () =>
    Effect.gen(function* () {
      const deaf = yield* runScript("exec <&-; echo ready; exec sleep 60")
      assert.strictEqual(yield* deaf.line, "ready")
      assert.isFalse(yield* deaf.write("x".repeat(1_000_000)))
      const mute = yield* supervise(script("exec >&-; exit 4"))
      assert.strictEqual(yield* textOf(mute.stdout), "")
      assert.deepStrictEqual(yield* mute.ended, exited(4))
    })
  )

  it.scopedLive("waits when nobody reads what it writes", () =>
    Effect.gen(function* () {
      const child = yield* supervise(
        script("i=0; while [ $i -lt 40 ]; do i=$((i+1)); head -c 65536 /dev/zero; echo $i >&2; done")
      )
      const first = yield* child.stderr.pipe(linesIn, Stream.take(1), Stream.runCollect)
      assert.deepStrictEqual(Chunk.toReadonlyArray(first), ["1"])
      assert.isTrue(yield* isAlive(child.identity))
      const all = yield* Stream.runFold(child.stdout, 0, (sum, part) => sum + part.length)
      assert.isAtLeast(all, 65_536)
    })
  )

  it.scopedLive("is heard to its last word by who comes when it has ended already", () =>
    Effect.gen(function* () {
      const child = yield* supervise(script("echo one; echo two >&2"))
      assert.deepStrictEqual(yield* child.ended, exited(0))
      assert.strictEqual(yield* textOf(child.stdout), "one\n")
      assert.strictEqual(yield* textOf(child.stderr), "two\n")
    })
  )

  it.scopedLive("takes what it started with it when it ends by itself", () =>
    Effect.gen(function* () {
      const child = yield* runScript("sleep 60 & echo $!; setsid sleep 61 & echo $!; echo done")
      const pids = [Number(yield* child.line), Number(yield* child.line)]
      assert.deepStrictEqual(yield* child.ended, exited(0))
      assert.deepStrictEqual(pids.filter(runs), [])
    })
  )

  it.scopedLive("is asked to end, and may tidy up; it is killed when it does not", () =>
    Effect.gen(function* () {
      const polite = yield* runScript(
        'trap "echo bye; exit 3" TERM; echo ready; while :; do sleep 0.01; done'
      )
      assert.strictEqual(yield* polite.line, "ready")
      yield* polite.stop
      assert.deepStrictEqual(yield* polite.ended, exited(3))
      assert.strictEqual(yield* polite.line, "bye")
      const stubborn = yield* runScript('trap "" TERM; echo ready; while :; do sleep 0.01; done', {
        grace: "50 millis"
      })
      assert.strictEqual(yield* stubborn.line, "ready")
      yield* stubborn.stop
      assert.deepStrictEqual(yield* stubborn.ended, killed)
    })
  )

  it.scopedLive("is ended when it is stopped by a signal, and wakes to hear the request", () =>
    Effect.gen(function* () {
      const child = yield* runScript(
        "trap 'exit 5' TERM; echo ready; kill -STOP $$; while :; do sleep 0.01; done"
      )
      assert.strictEqual(yield* child.line, "ready")
      yield* child.stop
      assert.deepStrictEqual(yield* child.ended, exited(5))
    })
  )

  it.scopedLive(
    "is found wherever it goes: out of its group, without its environment, behind a dead parent",
    () =>
      Effect.gen(function* () {
        const child = yield* runScript(
          [
            "setsid sleep 71 & echo $!",
            "setsid env -i /bin/sleep 72 & echo $!",
            "setsid sh -c 'env -i /bin/sleep 73 & echo $!; exec sleep 74'&",
            "setsid sh -c 'setsid sleep 75 & echo $!' &",
            "wait"
          ].join("\n")
        )
        const pids = yield* Effect.replicateEffect(Effect.map(child.line, Number), 4)
        yield* child.stop
        assert.deepStrictEqual(pids.filter(runs), [])
      })
  )

  it.live("does not outlive its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const child = yield* Scope.extend(runScript("sleep 60 & echo $!; wait"), scope)
      const pid = Number(yield* child.line)
      yield* Scope.close(scope, Exit.void)
      assert.isFalse(yield* isAlive(child.identity))
      assert.isFalse(runs(pid))
    })
  )

  it.scopedLive(
    "whose leader is killed from outside ends with its group, though somebody holds its output",
    () =>
      Effect.gen(function* () {
        const child = yield* runScript("(while :; do echo on || exit; sleep 0.01; done) & echo $!; wait")
        const writer = Number(yield* child.line)
        process.kill(child.identity.pid, "SIGKILL")
        assert.deepStrictEqual(yield* child.ended, killed)
        assert.isFalse(runs(writer))
      })
  )

  it.scopedLive(
    "has said all when it is gone, though somebody who can't be told from a stranger holds its output",
    () =>
      Effect.gen(function* () {
        const child = yield* runScript(
          "setsid env -i /bin/sh -c 'echo $$; exec sleep 60' & wait $!; exit 6",
          {
            // What it started is asked for after it has ended, when nobody can say any more whose it was.
            mark: "NOT_SET"
          }
        )
        const stranger = Number(yield* child.line)
        yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(stranger, "SIGKILL")))
        const said = yield* Effect.fork(Stream.runDrain(child.stderr))
        process.kill(child.identity.pid, "SIGKILL")
        assert.deepStrictEqual(yield* child.ended, killed)
        yield* Fiber.join(said)
        assert.isTrue(runs(stranger))
      })
  )
})
