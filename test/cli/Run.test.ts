import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber } from "effect"
import { attemptReader } from "../../src/cli/live/AttemptReader.ts"
import { readMessage } from "../../src/cli/live/Message.ts"
import { RunJournals } from "../../src/runs/journal/RunJournals.ts"
import { ask, createTask } from "../support/Board.ts"
import { cli, cliAs, cliWith } from "../support/Cli.ts"
import { cuttingProxy } from "../support/CuttingProxy.ts"
import { complete, registerCodex, shownSuccess, startGateway } from "../support/Runs.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { keys, World } from "../support/World.ts"

const shared = sharedWorld()

/** An agent that says a few things, waits until a file lets it go on, and claims a success. */
const script = `#!/bin/sh
cat >/dev/null
printf '%s\\n' '{"type":"message","text":"I look\\nand think"}'
echo '{"type":"tool_call","id":"1","name":"read","input":{"path":"a.md"}}'
echo plain
while [ ! -e "$(dirname "$0")/go-$MUSTER_TASK_ID" ]; do sleep 0.05; done
echo '{"type":"result","status":"success","summary":"It works","verification":[{"name":"tests","status":"passed"}]}'
`

/** Configures the agent of the script, and gives what lets its run on a task go on. */
const configured = Effect.gen(function* () {
  const { directory } = yield* World
  const place = join(directory, "agent")
  mkdirSync(place, { recursive: true })
  const command = join(place, "agent.sh")
  if (!existsSync(command)) writeFileSync(command, script)
  chmodSync(command, 0o755)
  const agents = [{ type: "script", name: "Script", provider: "command", enabled: true, command }]
  yield* ask("PUT", "/api/config/agents", { as: "admin", body: { agents } })
  return (taskId: string) => Effect.sync(() => writeFileSync(join(place, `go-${taskId}`), ""))
})

describe("a run of an agent that the service starts", () => {
  it.scopedLive("is started, followed to its end, and judged by what was seen", () =>
    Effect.gen(function* () {
      const goOn = yield* configured
      const { id } = yield* createTask({ id: "RUN-1" })
      const preview = yield* cli("run", "start", id, "--agent", "script", "--preview")
      assert.strictEqual(preview.exitCode, 0, preview.stderr)
      assert.match(
        preview.stdout,
        /^Can start: nothing was started yet\.\n\nagent: +script, run by command \(run\)/
      )
      assert.match(
        (yield* cli("run", "status", id)).stdout,
        /has had no run\. muster run start RUN-1 starts one/
      )

      const started = yield* cli("run", "start", id, "--agent", "script", "--commit-policy", "forbidden")
      assert.match(
        started.stdout,
        /^Started attempt_\w+: script on RUN-1\nmuster run log RUN-1 --follow watches it\.$/
      )
      const following = yield* Effect.fork(cli("run", "log", id, "--follow"))
      const asJson = yield* Effect.fork(cli("run", "log", id, "--follow", "--after", "1", "--json"))
      const status = yield* cli("run", "status", id)
      assert.match(status.stdout, /^running {2}attempt_\w+: script \(command\) on RUN-1\n/)
      assert.match(status.stdout, /\ncommits: +forbidden\n/)
      assert.match(status.stdout, /\ncan: +.*stop/)
      const unready = yield* cli("run", "result", id)
      assert.strictEqual(unready.exitCode, 5)
      assert.match(unready.stderr, /is running: it has no result yet/)
      const again = yield* cli("run", "start", id, "--agent", "script")
      assert.strictEqual(again.exitCode, 5)
      assert.match(again.stderr, /muster run status RUN-1 shows it; muster run stop RUN-1 ends it\.$/)

      yield* goOn(id)
      const followed = yield* Fiber.join(following)
      assert.strictEqual(followed.exitCode, 0, followed.stderr)
      assert.deepStrictEqual(followed.stdout.split("\n"), [
        "   1  message     I look",
        "                | and think",
        '   2  tool_call   read {"path":"a.md"}',
        "   3  stdout      plain",
        "   4  result      claims success: It works",
        "success: muster run result RUN-1 tells what was claimed and what was seen."
      ])
      const lines = (yield* Fiber.join(asJson)).stdout.split("\n").map((line) => JSON.parse(line))
      assert.deepStrictEqual(
        lines.map((line) => line.sequence ?? line.ended.status),
        [2, 3, 4, "success"]
      )
      const result = yield* cli("run", "result", id)
      assert.strictEqual(result.exitCode, 0)
      assert.match(
        result.stdout,
        /^success {2}attempt_\w+: script on RUN-1\nits process ended, \S+\n\nClaimed\n {2}success\n {2}summary: It works\n {2}verification: tests passed\n\nSeen\n {2}its process ended with 0\n/
      )
      const late = yield* cli("run", "log", id, "--follow", "--after", "3")
      assert.deepStrictEqual([late.exitCode, late.stdout.split("\n").length], [0, 2], "it is over already")
      const part = yield* cli("run", "log", id, "--limit", "2")
      assert.match(part.stdout, /There is more: muster run log RUN-1 --after 2$/)
      assert.deepInclude((yield* cli("run", "log", id, "--json")).json(), { nextCursor: 4, hasMore: false })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is stopped, and whoever follows it hears that it is no success", () =>
    Effect.gen(function* () {
      yield* configured
      const { id } = yield* createTask({ id: "RUN-2" })
      const { attemptId } = (yield* cli("run", "start", id, "--agent", "script", "--json")).json()
      const following = yield* Effect.fork(cli("run", "log", id, "--follow"))
      const other = yield* cli("run", "stop", id, "--attempt", "attempt_of_nobody")
      assert.strictEqual(other.exitCode, 5)
      const stopped = yield* cli("run", "stop", id)
      assert.strictEqual(stopped.stdout, `Stopped ${attemptId} on RUN-2: it ended interrupted`)
      const { exitCode, stdout } = yield* Fiber.join(following)
      assert.strictEqual(exitCode, 1)
      assert.match(stdout, /interrupted: muster run result RUN-2 tells/)
      const result = yield* cli("run", "result", id)
      assert.strictEqual(result.exitCode, 1)
      assert.match(result.stdout, /\nsomebody stopped it, \S+\n\nClaimed\n {2}nothing\n\nSeen\n/)
    }).pipe(Effect.provide(shared))
  )
})

describe("whoever follows a run", () => {
  it("asks a new connection for what comes after the last event, of the run and of its task", () => {
    const reader = attemptReader({ taskId: "RUN-1", attemptId: "attempt_1", afterSequence: 2 })()
    const note = (message: object) => reader.note(readMessage(JSON.stringify(message)))
    const subscribe = { type: "subscribe", taskId: "RUN-1", attemptId: "attempt_1" }
    assert.deepStrictEqual(reader.asks(), [{ ...subscribe, afterSequence: 2 }])
    note({ type: "subscribed", taskId: "RUN-1", cursor: 4, taskCursor: 7 })
    note({ type: "agent:event", taskId: "RUN-1", data: { sequence: 3 } })
    note({ type: "agent:output", taskId: "RUN-1", sequence: 3 })
    note({ type: "task:event", taskId: "RUN-1", sequence: 8 })
    note({ type: "task:event", taskId: "RUN-2", sequence: 90 })
    note({ type: "task:updated", sequence: 900 })
    assert.deepStrictEqual(reader.asks(), [{ ...subscribe, afterSequence: 3, afterTaskSequence: 8 }])
  })
})

describe("a run that is followed", () => {
  it.scopedLive("tells each event once and in order, though its connection is cut within one", () =>
    Effect.gen(function* () {
      const { baseUrl, directory } = yield* World
      const { append } = yield* RunJournals
      const running = yield* startGateway({ id: "RUN-CUT" })
      const say = (from: number, to: number) =>
        append(
          running.attemptId,
          Arr.range(from, to).map((number) => ({ kind: "message", payload: { text: `Number ${number}` } }))
        )
      yield* say(1, 60)
      const proxy = yield* cuttingProxy(baseUrl, [17_001, 12_345, Number.POSITIVE_INFINITY])
      const environment = {
        SERVICE_API_URL: proxy.url,
        SERVICE_API_KEY: keys.agent,
        SERVICE_DATA_DIR: directory
      }
      const following = yield* Effect.fork(cliWith(environment, "run", "log", "RUN-CUT", "--follow"))
      yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => proxy.cuts() > 0 })
      yield* say(61, 120)
      yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => proxy.cuts() > 1 })
      yield* say(121, 130)
      yield* complete(running, shownSuccess)
      const { exitCode, stderr, stdout } = yield* Fiber.join(following)
      assert.strictEqual(exitCode, 0, stderr)
      assert.deepStrictEqual(
        stdout.split("\n").slice(0, -1),
        Arr.range(1, 130).map((number) => `${String(number).padStart(4)}  message     Number ${number}`)
      )
      assert.match(stdout, /\nsuccess: muster run result RUN-CUT /)
      assert.lengthOf(stderr.match(/trying again/g) ?? [], 2)
    }).pipe(Effect.provide(shared))
  )
})

describe("a run of an agent that works elsewhere", () => {
  it.scopedLive("tells why its success is partial, in words", () =>
    Effect.gen(function* () {
      const running = yield* startGateway({ id: "RUN-3" })
      const said = yield* cli("run", "message", "RUN-3", "Leave", "the", "format", "alone")
      assert.match(said.stdout, /^Recorded for attempt_\w+, and not delivered: The run has no interactive/)
      assert.match((yield* cli("run", "log", "RUN-3")).stdout, /^ {3}1 {2}codex {7}Leave the format alone$/)
      yield* complete(running, { success: true, summary: "Done\nfully", files: ["a.md"] })
      const { exitCode, stdout } = yield* cli("run", "result", "RUN-3")
      assert.strictEqual(exitCode, 1)
      for (const part of [
        /^partial {2}attempt_\w+: codex on RUN-3\nits agent said so, /,
        /\n {2}summary: Done\n {4}> fully\n {2}files: a\.md\n/,
        /\n {2}no process of this server: its agent works elsewhere\n {2}no workspace\n {2}claimed and not seen: a\.md\n/,
        /\nWhy it is partial\n {2}- Nothing but the summary stands behind it: send .* \(harness-evidence-absent\)$/
      ]) {
        assert.match(stdout, part)
      }
      assert.match((yield* cli("run", "status", "RUN-3")).stdout, /\n {2}- Nothing but the summary/)
      assert.strictEqual((yield* cli("run", "result", "RUN-3", "--json")).json().status, "partial")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive(
    "counts once under a key, and an earlier attempt keeps its log, its result and its status",
    () =>
      Effect.gen(function* () {
        yield* registerCodex
        yield* createTask({ id: "RUN-4" })
        const start = ["run", "start", "RUN-4", "--key", "night-run-1", "--json"] as const
        const first = (yield* cli(...start)).json()
        assert.deepStrictEqual((yield* cli(...start)).json(), first)
        yield* complete(
          { taskId: "RUN-4", attemptId: first.attemptId, digest: first.providerRuntimeManifestDigest },
          shownSuccess
        )
        const parent = ["run", "start", "RUN-4", "--parent", first.attemptId, "--json"] as const
        const { attemptId } = (yield* cli(...parent)).json()
        const earlier = yield* cli("run", "log", "RUN-4", "--follow", "--attempt", first.attemptId)
        assert.strictEqual(earlier.exitCode, 0)
        assert.include(
          earlier.stdout,
          `success: muster run result RUN-4 --attempt ${first.attemptId} tells what was claimed`
        )
        const result = yield* cli("run", "result", "RUN-4", "--attempt", first.attemptId)
        assert.strictEqual(result.exitCode, 0)
        assert.include(result.stdout, first.attemptId)
        const status = yield* cli("run", "status", "RUN-4", "--attempt", first.attemptId)
        assert.match(status.stdout, new RegExp(`^success {2}${first.attemptId}: `))
        const now = (yield* cli("run", "status", "RUN-4", "--json")).json()
        assert.strictEqual(now.attemptId, attemptId)
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("waits for room, says for what, and is taken out", () =>
    Effect.gen(function* () {
      const admission = (runs: number | null) =>
        ask("PATCH", "/api/settings/features", {
          as: "admin",
          body: { admission: { limits: { global: { runs } } } }
        })
      yield* registerCodex
      yield* admission(0)
      yield* createTask({ id: "RUN-5" })
      const denied = yield* cli("run", "start", "RUN-5")
      assert.strictEqual(denied.exitCode, 5)
      yield* admission(1)
      const held = yield* startGateway({ id: "RUN-6" })
      const queued = yield* cli("run", "start", "RUN-5")
      assert.match(queued.stdout, /^Queued attempt_\w+: codex on RUN-5 waits for room in the whole board\n/)
      assert.strictEqual(queued.exitCode, 0)
      assert.match((yield* cli("run", "status", "RUN-5")).stdout, /^queued .*\nwaits: +as queue_\w+\n/)
      assert.strictEqual((yield* cli("run", "stop", "RUN-5")).exitCode, 0)
      yield* complete(held, shownSuccess)
      yield* admission(null)
    }).pipe(Effect.provide(shared))
  )
})

describe("what is wrong with a run", () => {
  it.scopedLive("is said with what to do about it", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "RUN-7" })
      for (const [words, exitCode, told] of [
        [["status", "RUN-0"], 4, "Task RUN-0 does not exist"],
        [["stop", "RUN-7"], 5, "muster run start RUN-7 starts one."],
        [["result", "RUN-7"], 5, "Task RUN-7 has had no run"],
        [["log", "RUN-7", "--follow"], 5, "Task RUN-7 has had no run"],
        [["log", "RUN-7", "--attempt", "nobody"], 5, "nobody"],
        [["status", "RUN-7", "--attempt", "nobody"], 5, "nobody is not an attempt of this task"],
        [["log", "RUN-7", "--follow", "--attempt", "nobody"], 4, "The task has no such attempt"],
        [["start", "RUN-7", "--agent", "nobody"], 4, "muster agents lists those that there are."],
        [["start", "RUN-7", "--phase", "dream"], 2, "--phase: Expected"],
        [["start", "RUN-7", "--key", "short"], 2, "--key: Expected 8 to 240 characters"]
      ] as const) {
        const ran = yield* cli("run", ...words)
        assert.strictEqual(ran.exitCode, exitCode, `${words.join(" ")}: ${ran.stderr}`)
        assert.include(ran.stderr, told)
      }
      const admin = yield* cliAs("admin", "run", "start", "RUN-7")
      assert.strictEqual(admin.exitCode, 5)
      assert.include(admin.stderr, "Name one with --agent AGENT; muster agents lists them.")
      assert.strictEqual((yield* cliAs("read-only", "run", "start", "RUN-7")).exitCode, 3)
    }).pipe(Effect.provide(shared))
  )
})
