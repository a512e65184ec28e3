import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { marker } from "../../../src/kernel/Redaction.ts"
import type { Launch, Sink } from "../../../src/runs/adapters/Adapter.ts"
import { CommandAdapter } from "../../../src/runs/adapters/CommandAdapter.ts"
import type { Fact } from "../../../src/runs/adapters/facts/Fact.ts"
import { Processes } from "../../../src/runs/processes/Processes.ts"
import * as Units from "../../../src/runs/processes/Units.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { newMark, runs } from "../../support/Child.ts"
import { storageInMemory } from "../../support/TestStorage.ts"
import { temporaryDirectory } from "../../support/World.ts"

const adapters = CommandAdapter.layer.pipe(
  Layer.provideMerge(Processes.layer),
  Layer.provideMerge(storageInMemory)
)

/** An agent that is a script for `sh`, which hears its prompt on standard input. */
const agent = (script: string, rest: Partial<Launch> = {}): Launch => ({
  taskId: "task_1",
  attemptId: newMark(),
  command: "/bin/sh",
  args: ["-c", script],
  passthroughEnv: [],
  workingDirectory: "/",
  runDirectory: "/run/directory",
  prompt: "Do it.\n",
  ...rest
})

/** Runs an agent to its end, and gives all that it said. */
const runToEnd = (launch: Launch) =>
  Effect.scoped(
    Effect.gen(function* () {
      const facts: Array<Fact> = []
      const adapter = yield* CommandAdapter
      const begun = yield* adapter.begin(launch, (more) => Effect.sync(() => facts.push(...more)))
      return { ...(yield* begun.ended), facts }
    })
  )

/** A sink that tells when a fact of a kind has come. */
const waiting = (kind: string) =>
  Effect.map(Deferred.make<Fact>(), (seen) => ({
    sink: ((facts) =>
      Effect.forEach(
        facts.filter((fact) => fact.kind === kind),
        (fact) => Deferred.succeed(seen, fact),
        { discard: true }
      )) satisfies Sink,
    seen: Deferred.await(seen)
  }))

const texts = (facts: ReadonlyArray<Fact>, stream = "stdout") =>
  facts.filter(({ payload }) => payload["stream"] === stream).map(({ payload }) => String(payload["text"]))

const exited = (code: number) => ({ _tag: "Exited" as const, code })

layer(adapters, { excludeTestServices: true })("an agent that is a command", (it) => {
  it.scoped("says megabytes in one line, which is as structured as any", () =>
    Effect.gen(function* () {
      const megabytes = "head -c 5242880 /dev/zero | tr '\\0' x"
      const { facts } = yield* runToEnd(
        agent(
          `cat >/dev/null; printf '{"type":"tool_result","id":"1","output":"'; ${megabytes}; echo '"}'; echo end`
        )
      )
      assert.deepStrictEqual(
        facts.map(({ kind, payload }) => [kind, String(payload["output"] ?? payload["text"]).length]),
        [
          ["tool_result", 5_242_880],
          ["output", 3]
        ]
      )
    })
  )

  it.scoped("is heard to its last line while it is silent", () =>
    Effect.gen(function* () {
      const { seen, sink } = yield* waiting("output")
      const adapter = yield* CommandAdapter
      const script = "cat >/dev/null; echo 'see src/Foo2Bar.ts'; exec sleep 600"
      const begun = yield* adapter.begin(agent(script), sink)
      assert.deepStrictEqual((yield* seen).payload, { stream: "stdout", text: "see src/Foo2Bar.ts" })
      yield* begun.stop
      yield* begun.ended
    })
  )

  it.scoped("hears its prompt, which ends, and says what it does in structured lines and in text", () =>
    Effect.gen(function* () {
      const { ending, facts, result, wasStopped } = yield* runToEnd(
        agent(
          [
            "cat",
            `echo '{"type":"message","text":"hello"}'`,
            `echo '{"type":"tool_call","id":"1","name":"shell","input":{"a":1}}'`,
            `echo '{"type":"tokens","model":"m","inputTokens":1,"outputTokens":2,"cacheTokens":3}'`,
            `echo '{"type":"tokens","inputTokens":-1,"outputTokens":2}'`,
            `echo '{"type":"weather","sun":true}'`,
            `echo '{"type":"result","status":"partial","summary":"first"}'`,
            `echo '{"type":"result","status":"blocked","summary":"stuck","blockers":["x"],"more":1}'`,
            `echo '{"type":"result","status":"fine"}'`,
            `echo '{"type":5}'`,
            "echo bad >&2",
            "exit 3"
          ].join("\n")
        )
      )
      assert.deepStrictEqual(
        facts.filter(({ payload }) => payload["stream"] !== "stderr"),
        [
          { kind: "output", payload: { stream: "stdout", text: "Do it." } },
          { kind: "message", payload: { text: "hello" } },
          { kind: "tool_call", payload: { id: "1", name: "shell", input: { a: 1 } } },
          { kind: "tokens", payload: { model: "m", inputTokens: 1, outputTokens: 2, cacheTokens: 3 } },
          {
            kind: "output",
            payload: { stream: "stdout", text: '{"type":"tokens","inputTokens":-1,"outputTokens":2}' }
          },
          { kind: "weather", payload: { sun: true } },
          { kind: "result", payload: { status: "partial", summary: "first" } },
          { kind: "result", payload: { status: "blocked", summary: "stuck", blockers: ["x"], more: 1 } },
          { kind: "output", payload: { stream: "stdout", text: '{"type":"result","status":"fine"}' } },
          { kind: "output", payload: { stream: "stdout", text: '{"type":5}' } }
        ]
      )
      assert.deepStrictEqual(texts(facts, "stderr"), ["bad"])
      assert.deepStrictEqual(ending, exited(3))
      assert.deepStrictEqual(result, {
        status: "blocked",
        summary: "stuck",
        members: { blockers: ["x"], more: 1 }
      })
      assert.isFalse(wasStopped)
    })
  )

  it.scoped("sees its own environment and directory, and nothing of the server's", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      process.env["AGENT_TEST_NAMED"] = "named"
      process.env["AGENT_TEST_OTHER"] = "other"
      const { facts } = yield* runToEnd(
        agent("pwd; env | sort", {
          attemptId: "attempt_environment",
          workingDirectory: directory,
          passthroughEnv: ["AGENT_TEST_NAMED", "NODE_OPTIONS"],
          bridge: { url: "http://127.0.0.1:1", handle: Redacted.make("bridge") }
        })
      )
      const [place, ...variables] = texts(facts)
      assert.strictEqual(place, directory)
      const names = variables.map((variable) => variable.split("=")[0])
      const usual = ["PATH", "HOME", "PWD", "OLDPWD", "SHLVL", "_"]
      assert.sameMembers(
        names.filter((name) => !usual.includes(name ?? "") && !/^LANG|^LC_/.test(name ?? "")),
        [
          "AGENT_TEST_NAMED",
          "MUSTER_ATTEMPT_ID",
          "MUSTER_BRIDGE_HANDLE",
          "MUSTER_BRIDGE_URL",
          "MUSTER_RUN_DIR",
          "MUSTER_TASK_ID"
        ]
      )
      delete process.env["AGENT_TEST_NAMED"]
      delete process.env["AGENT_TEST_OTHER"]
    })
  )

  it.scoped("is written down before it hears its prompt, until somebody settles its attempt", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const launch = agent(`read line; echo '{"type":"heard"}'; exec sleep 60`, { workingDirectory: "/tmp" })
      const { seen, sink } = yield* waiting("heard")
      const begun = yield* (yield* CommandAdapter).begin(launch, sink)
      yield* seen
      const rows = yield* storage.read(Units.recorded)
      const row = rows.find(({ attemptId }) => attemptId === launch.attemptId)
      assert.deepStrictEqual(row?.identity, begun.identity)
      assert.strictEqual(row?.place, "/tmp")
      yield* begun.stop
      assert.isTrue((yield* begun.ended).wasStopped)
      yield* storage.write(Units.forget(launch.attemptId))
    })
  )

  it.scoped("that can't be started says why, and leaves nothing written down", () =>
    Effect.gen(function* () {
      const { begin } = yield* CommandAdapter
      const storage = yield* Storage
      const file = join(yield* temporaryDirectory, "plain.txt")
      writeFileSync(file, "")
      for (const [rest, reason] of [
        [{ command: "no-such-program" }, "not-found"],
        [{ command: file }, "not-executable"],
        [{ workingDirectory: "/nonexistent" }, "no-directory"],
        [{ args: ["a\0b"] }, "refused"]
      ] as const) {
        const launch = agent("", rest)
        const error = yield* Effect.flip(begin(launch, () => Effect.void))
        assert.strictEqual(error.reason, reason)
        const rows = yield* storage.read(Units.recorded)
        assert.isFalse(rows.some(({ attemptId }) => attemptId === launch.attemptId))
      }
    })
  )

  it.scoped("is gone with all that it started when it is stopped, or when its scope ends", () =>
    Effect.gen(function* () {
      const { begin } = yield* CommandAdapter
      const script = `setsid sleep 95 & echo "{\\"type\\":\\"started\\",\\"pid\\":$!}"; wait; exec sleep 96`
      for (const how of ["stop", "scope"] as const) {
        const scope = yield* Scope.make()
        const { seen, sink } = yield* waiting("started")
        const begun = yield* Scope.extend(begin(agent(script), sink), scope)
        const pid = Number((yield* seen).payload["pid"])
        if (how === "stop") {
          const ended = yield* Effect.fork(begun.ended)
          yield* begun.stop
          assert.isTrue((yield* ended).wasStopped)
        }
        yield* Scope.close(scope, Exit.void)
        assert.isFalse(runs(pid))
        assert.isFalse(runs(begun.identity.pid))
      }
    })
  )

  it.scoped(
    "may write anything: no end of line, bytes that are no text, half an object, nothing at all",
    () =>
      Effect.gen(function* () {
        const { facts } = yield* runToEnd(
          agent(
            [
              `printf '{"type":"mess\\n'`,
              `printf 'a\\0b\\n'`,
              `printf '\\342\\202'`,
              "sleep 0.01",
              `printf '\\254\\n\\377\\n'`,
              "head -c 2000000 /dev/zero | tr '\\0' x",
              `printf '\\n{"type":"message","text":"after"}'`,
              "exec >&-"
            ].join("\n")
          )
        )
        const lines = texts(facts)
        assert.deepStrictEqual(lines.slice(0, 4), ['{"type":"mess', "a\0b", "€", "\ufffd"])
        assert.strictEqual(lines.slice(4).join("").length, 2_000_000)
        assert.isAtMost(Math.max(...lines.map(({ length }) => length)), 131_072)
        assert.deepStrictEqual(facts.at(-1), { kind: "message", payload: { text: "after" } })
      })
  )

  it.scoped("tells no secret, also not one that lies across two lines or two writes", () =>
    Effect.gen(function* () {
      const token = "ghp_Zk3vT9qLm2XwR7sYb4Nc8Hd6Jf1Gp5Vt0Aae"
      const { facts } = yield* runToEnd(
        agent(
          [
            `printf 'one ${token.slice(0, 15)}'; sleep 0.01; echo '${token.slice(15)} two'`,
            "echo '-----BEGIN PRIVATE KEY-----'",
            "echo MIIEpAIBAAKCAQEAbZ4kqHfXw7yNbZ4kqHfXw7yN",
            "echo '-----END PRIVATE KEY-----'",
            `echo '{"type":"message","text":"it is ${token}"}'`,
            `echo '{"type":"message","text":"now ${token.slice(0, 20)}","delta":true}'`,
            `echo '{"type":"message","text":"${token.slice(20)} end","delta":true}'`,
            `echo '{"type":"${token}"}'`,
            `echo '${token}' >&2`
          ].join("\n")
        )
      )
      const all = JSON.stringify(facts)
      assert.notInclude(all, "ghp_")
      assert.notInclude(all, token.slice(20))
      assert.notInclude(all, "MIIE")
      assert.deepStrictEqual(texts(facts), [`one ${marker} two`, marker])
      const [message] = facts.filter(({ kind }) => kind === "message")
      assert.deepStrictEqual(message?.redaction?.fields, ["text"])
      assert.strictEqual(
        message?.redaction?.originalBytes,
        Buffer.byteLength(JSON.stringify({ text: `it is ${token}` }))
      )
      const [first] = facts
      assert.strictEqual(
        first?.redaction?.originalBytes,
        Buffer.byteLength(JSON.stringify({ stream: "stdout", text: `one ${token} two` }))
      )
    })
  )

  it.scoped("waits when nobody takes in what it says, and is ended when nobody can", () =>
    Effect.gen(function* () {
      const { begin } = yield* CommandAdapter
      const go = yield* Deferred.make<void>()
      const calls = { now: 0, most: 0, lines: 0 }
      const begun = yield* begin(agent("seq 1 50000; seq 1 50000 >&2"), (facts) =>
        Effect.sync(() => {
          calls.now += 1
          calls.most = Math.max(calls.most, calls.now)
          calls.lines += facts.length
        }).pipe(
          Effect.zipRight(Deferred.await(go)),
          Effect.zipRight(Effect.yieldNow()),
          Effect.ensuring(
            Effect.sync(() => {
              calls.now -= 1
            })
          )
        )
      )
      assert.isTrue(runs(begun.identity.pid))
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual((yield* begun.ended).ending, exited(0))
      assert.deepStrictEqual(calls, { now: 0, most: 1, lines: 100_000 })
      const broken = yield* begin(agent("echo one; exec sleep 97"), () =>
        Effect.dieMessage("the disk is gone")
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(broken.ended)))
      assert.isFalse(runs(broken.identity.pid))
    })
  )

  it.scoped("that people know is called and read in its own way", () =>
    Effect.gen(function* () {
      const program = join(yield* temporaryDirectory, "claude")
      const lines = new URL("../../fixtures/dialects/claude-code.jsonl", import.meta.url).pathname
      writeFileSync(program, `#!/bin/sh\necho "$@" >&2\ncat ${lines}\n`)
      chmodSync(program, 0o755)
      const { args: _, ...launch } = agent("", { command: program, model: "opus" })
      const { facts, result } = yield* runToEnd(launch)
      assert.deepStrictEqual(texts(facts, "stderr"), [
        "-p --output-format stream-json --verbose --model opus"
      ])
      assert.deepStrictEqual(result, { status: "success", summary: "Fixed.", members: {} })
      assert.strictEqual(facts.filter(({ kind }) => kind === "tokens").length, 4)
    })
  )
})
