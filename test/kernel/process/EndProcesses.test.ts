import { spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { belonging, endProcesses } from "../../../src/kernel/process/EndProcesses.ts"
import { isAlive, isSame } from "../../../src/kernel/process/Identity.ts"
import { parsePs, parseStat, procView, psView, type Seen } from "../../../src/kernel/process/ProcessView.ts"
import { newMark, runScript, runs } from "../../support/Child.ts"

const boot = "boot"
const leader = { pid: 100, startTime: "7", bootId: boot }
const lineage = { leader, mark: "MUSTER_ATTEMPT_ID=a" }

const seen = (pid: number, startTime: string, rest: Partial<Seen> = {}): Seen => ({
  pid,
  parent: 1,
  group: pid,
  startTime,
  runs: true,
  ...rest
})

const pidsOf = (all: ReadonlyArray<Seen>, marked: ReadonlyArray<number> = []) =>
  belonging(lineage, all, new Set(marked), new Map(), boot).map(({ pid }) => pid)

describe("what belongs to a process that was recorded", () => {
  it("is its group, what started from it, and what carries its mark", () => {
    const group = seen(101, "8", { group: 100 })
    const child = seen(200, "9", { parent: 101 })
    const escaped = seen(300, "9")
    const besideEscaped = seen(301, "9", { group: 300 })
    const stranger = seen(400, "9")
    const all = [seen(100, "7"), group, child, escaped, besideEscaped, stranger]
    assert.deepStrictEqual(pidsOf(all, [300]), [100, 101, 200, 300, 301])
  })

  it("is nothing when a stranger has got its number: neither he nor his group", () => {
    assert.deepStrictEqual(pidsOf([seen(100, "9"), seen(101, "9", { group: 100 })]), [])
    assert.isFalse(isSame(leader, seen(100, "9"), boot))
    assert.isFalse(isSame(leader, seen(100, "7"), "another boot"))
    assert.isFalse(isSame({ ...leader, startTime: "" }, seen(100, ""), boot))
    assert.isTrue(isSame(leader, seen(100, "7"), boot))
  })

  it("is its group without a leader only where a marked process shows that it is still the same group", () => {
    const orphans = [seen(101, "8", { group: 100 }), seen(102, "8", { group: 100 })]
    assert.deepStrictEqual(pidsOf(orphans), [])
    assert.deepStrictEqual(pidsOf(orphans, [102]), [101, 102])
  })

  it("is never the server, nor one who started it", () => {
    const server = seen(process.pid, "3", { parent: 50, group: 50 })
    const all = [seen(50, "2", { group: 50 }), server, seen(1, "1")]
    assert.deepStrictEqual(pidsOf(all, [process.pid, 50, 1]), [])
  })

  it("never holds a process that is neither marked nor tied to one that is, whatever runs", () => {
    const anySeen = fc.record({
      pid: fc.integer({ min: 2, max: 30 }),
      parent: fc.integer({ min: 1, max: 30 }),
      group: fc.integer({ min: 1, max: 30 }),
      startTime: fc.constantFrom("6", "7", "8"),
      runs: fc.boolean()
    })
    fc.assert(
      fc.property(fc.uniqueArray(anySeen, { selector: ({ pid }) => pid }), (all) => {
        assert.deepStrictEqual(pidsOf(all.filter(({ pid }) => pid !== leader.pid)), [])
      })
    )
  })
})

describe("ending what was recorded", () => {
  it.scopedLive("leaves a stranger alone who has got the number", () =>
    Effect.gen(function* () {
      const stranger = yield* runScript("echo ready; exec sleep 60")
      assert.strictEqual(yield* stranger.line, "ready")
      const recorded = { ...stranger.identity, startTime: `${Number(stranger.identity.startTime) - 1}` }
      assert.deepStrictEqual(yield* endProcesses({ leader: recorded, mark: `X=${newMark()}` }, 0), [])
      assert.isTrue(yield* isAlive(stranger.identity))
    })
  )

  it.live("ends a group whose leader was killed, and a marked grandchild that left it", () =>
    Effect.gen(function* () {
      const mark = newMark()
      const child = spawn("/bin/sh", ["-c", "sleep 81 & echo $!; setsid sleep 82 & echo $!; echo; wait"], {
        detached: true,
        env: { PATH: "/usr/bin:/bin", MUSTER_ATTEMPT_ID: mark },
        stdio: ["ignore", "pipe", "ignore"]
      })
      const text = yield* Effect.async<string>((resume) => {
        let said = ""
        child.stdout.on("data", (part) => {
          said += part
          if (said.includes("\n\n")) resume(Effect.succeed(said))
        })
      })
      const pids = text.trim().split("\n").map(Number)
      assert.deepStrictEqual(pids.map(runs), [true, true])
      const { pid = 0 } = child
      const startTime = procView().now(pid)?.startTime ?? ""
      yield* Effect.async<void>((resume) => {
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
      const bootId = procView().bootId
      yield* endProcesses({ leader: { pid, startTime, bootId }, mark: `MUSTER_ATTEMPT_ID=${mark}` }, 0)
      assert.deepStrictEqual(pids.map(runs), [false, false])
    })
  )
})

describe("how processes are seen", () => {
  it("reads a name with brackets and spaces, and tells what has ended from what runs", () => {
    const rest = `1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20`
    assert.deepStrictEqual(parseStat(5, `5 (a) b (c) S ${rest}`), {
      pid: 5,
      parent: 1,
      group: 2,
      startTime: "4242",
      runs: true
    })
    assert.isFalse(parseStat(5, `5 (a) Z ${rest}`)?.runs)
    assert.isUndefined(parseStat(5, ""))
  })

  it.live("says the same through ps where there is no /proc, but for marks", () =>
    Effect.gen(function* () {
      const [own] = [yield* Effect.promise(() => psView().one(process.pid))]
      const proc = procView().now(process.pid)
      assert.deepStrictEqual([own?.pid, own?.parent, own?.group], [proc?.pid, proc?.parent, proc?.group])
      assert.isTrue(own?.runs)
      const all = yield* Effect.promise(() => psView().all())
      assert.isTrue(all.some(({ pid }) => pid === process.pid))
      assert.deepStrictEqual(parsePs("  7 1 7 Ss Sun Nov 22 19:53:42 2026\nnonsense\n"), [
        { pid: 7, parent: 1, group: 7, startTime: "Sun Nov 22 19:53:42 2026", runs: true }
      ])
    })
  )
})
