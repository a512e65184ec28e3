import { spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { identityOf } from "../../../src/kernel/process/Identity.ts"
import { view } from "../../../src/kernel/process/ProcessView.ts"
import { Processes } from "../../../src/runs/processes/Processes.ts"
import * as Units from "../../../src/runs/processes/Units.ts"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { newMark, runScript, runs } from "../../support/Child.ts"
import { storageIn } from "../../support/TestStorage.ts"
import { temporaryDirectory } from "../../support/World.ts"

/** What a server that was killed left: a process that nobody supervises, with what it had said. */
const orphan = (script: string, attemptId: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly pid: number; readonly said: ReadonlyArray<number> }>((resume) => {
      const child = spawn("/bin/sh", ["-c", script], {
        detached: true,
        env: { PATH: "/usr/bin:/bin", MUSTER_ATTEMPT_ID: attemptId },
        stdio: ["ignore", "pipe", "ignore"]
      })
      let text = ""
      child.stdout.on("data", (part) => {
        text += part
        const said = text.split("\n")
        if (said.includes("ready"))
          resume(
            Effect.succeed({
              pid: child.pid ?? 0,
              said: said.filter((line) => /^\d+$/.test(line)).map(Number)
            })
          )
      })
    }),
    ({ pid, said }) =>
      Effect.sync(() => {
        for (const one of [pid, ...said]) if (runs(one)) process.kill(one, "SIGKILL")
      })
  )

const identity = (pid: number) => {
  const seen = view.now(pid)
  return seen === undefined ? assert.fail("it does not run") : identityOf(seen)
}

/** A server that starts on a directory, and is gone again. */
const start = <A, E>(directory: string, use: Effect.Effect<A, E, Processes | Storage>) =>
  use.pipe(Effect.provide(Layer.provideMerge(Processes.layer, storageIn(directory))), Effect.scoped)

describe("the processes of attempts", () => {
  it.scopedLive("that a dead server left are ended by the next one before it does anything else", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [first, second] = [newMark(), newMark()]
      const stubborn = yield* orphan(
        'trap "" TERM; sleep 91 & echo $!; setsid sleep 92 & echo $!; echo ready; while :; do sleep 0.05; done',
        first
      )
      const numberless = yield* orphan("echo ready; exec sleep 93", second)
      yield* start(
        directory,
        Effect.gen(function* () {
          const processes = yield* Processes
          assert.deepStrictEqual(processes.leftBehind, [])
          yield* processes.expect(first, "/tmp/one")
          yield* processes.record(first, "/tmp/one", identity(stubborn.pid))
          yield* processes.expect(second, "/tmp/two")
        })
      )
      yield* start(
        directory,
        Effect.gen(function* () {
          const { leftBehind } = yield* Processes
          assert.deepStrictEqual(
            [...leftBehind].sort((one, other) => one.place.localeCompare(other.place)),
            [
              { attemptId: first, place: "/tmp/one", stuck: 0 },
              { attemptId: second, place: "/tmp/two", stuck: 0 }
            ]
          )
          assert.deepStrictEqual([stubborn.pid, ...stubborn.said, numberless.pid].filter(runs), [])
          const storage = yield* Storage
          const recorded = yield* storage.read(Units.recorded)
          assert.sameMembers(
            recorded.map(({ attemptId }) => attemptId),
            [first, second]
          )
          yield* storage.write(Units.forget(first))
        })
      )
      const left = yield* start(
        directory,
        Effect.map(Processes, ({ leftBehind }) => leftBehind.map(({ attemptId }) => attemptId))
      )
      assert.deepStrictEqual(left, [second])
    })
  )

  it.scopedLive("that are over are not asked for, and a stranger with their number lives", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const stranger = yield* runScript("echo ready; exec sleep 60")
      assert.strictEqual(yield* stranger.line, "ready")
      const { pid, startTime } = stranger.identity
      yield* start(
        directory,
        Effect.gen(function* () {
          const processes = yield* Processes
          yield* processes.record("reused", "/tmp", {
            ...stranger.identity,
            startTime: `${Number(startTime) - 5}`
          })
          yield* processes.record("another boot", "/tmp", { pid, startTime, bootId: "another" })
          yield* processes.record("over", "/tmp", stranger.identity)
          yield* processes.forget("over")
        })
      )
      yield* start(
        directory,
        Effect.map(Processes, ({ leftBehind }) => {
          assert.sameMembers(
            leftBehind.map(({ attemptId }) => attemptId),
            ["reused", "another boot"]
          )
        })
      )
      assert.isTrue(runs(pid))
    })
  )

  it.scopedLive("of a server that still runs are left alone by one that works on a copy of its board", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const attemptId = newMark()
      const original = yield* runScript("echo ready; exec sleep 60")
      const agent = yield* runScript("echo ready; exec sleep 60", { env: { MUSTER_ATTEMPT_ID: attemptId } })
      assert.deepStrictEqual([yield* original.line, yield* agent.line], ["ready", "ready"])
      const { pid, startTime } = original.identity
      yield* start(
        directory,
        Effect.gen(function* () {
          yield* (yield* Processes).record(attemptId, "/tmp", agent.identity)
          const storage = yield* Storage
          yield* storage.write(
            run(sql`UPDATE processes SET server_pid = ${pid}, server_start_time = ${startTime}`)
          )
        })
      )
      yield* start(
        directory,
        Effect.gen(function* () {
          const { isOccupied, leftBehind } = yield* Processes
          assert.deepStrictEqual(leftBehind, [{ attemptId, place: "/tmp", stuck: 1 }])
          assert.isTrue(runs(agent.identity.pid))
          assert.deepStrictEqual([yield* isOccupied("/tmp"), yield* isOccupied("/elsewhere")], [true, false])
          // The other server dies, and what it had left is ended before anybody begins there.
          process.kill(original.identity.pid, "SIGKILL")
          assert.isFalse(yield* Effect.repeat(isOccupied("/tmp"), { while: (still) => still, times: 100 }))
          assert.isFalse(runs(agent.identity.pid))
        })
      )
    })
  )
})
