import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { catalogue } from "../../src/cli/Catalogue.ts"
import type { Described } from "../../src/cli/help/CommandDescription.ts"
import { execute } from "../support/Binary.ts"
import { cliWith } from "../support/Cli.ts"

/** Every command, and every one below it. */
const all = Effect.promise(async () => {
  const groups = await Promise.all(catalogue.map(({ load }) => load()))
  return groups.flatMap(({ described }): ReadonlyArray<Described> => [described, ...described.subcommands])
})

const muster = (...args: ReadonlyArray<string>) => cliWith({}, ...args)

const assertFits = (text: string, name: string) => {
  for (const line of text.split("\n")) assert.isAtMost(line.length, 80, `${name}: ${line}`)
}

describe("the help", () => {
  it.effect("shows every command on a line, and fits a terminal of 80 columns", () =>
    Effect.gen(function* () {
      for (const args of [["--help"], ["-h"], ["help"], []]) {
        const { exitCode, stderr, stdout } = yield* muster(...args)
        assert.deepStrictEqual([exitCode, stderr], [0, ""], args.join(" "))
        assertFits(stdout, "muster --help")
        for (const { name, says } of catalogue) {
          assert.include(
            stdout.split("\n").map((line) => line.replace(/ +/g, " ")),
            ` ${name} ${says}`
          )
        }
      }
    })
  )

  it.effect("of every command fits 80 columns, shows how it is typed, what each part is, and examples", () =>
    Effect.gen(function* () {
      const commands = yield* all
      assert.isAbove(commands.length, 50)
      for (const { arguments: args, options, parts, path, says, subcommands } of commands) {
        const name = path.join(" ")
        const { exitCode, stderr, stdout } = yield* muster(...path, "--help")
        assert.deepStrictEqual([exitCode, stderr], [0, ""], name)
        assertFits(stdout, name)
        assert.include(stdout, `USAGE\n  muster ${name}`)
        assert.match(says, /^[A-Z].*[.!]$/, `${name} says what it does`)
        for (const part of [...args, ...options]) {
          assert.match(part.says, /^[A-Z]/, `${name} says what ${part.label} is`)
          assert.notMatch(part.says, /^This (?:setting|option|argument)/, `${name} ${part.label}`)
        }
        assert.sameMembers(
          options.map(({ label }) => label.split(" ")[0]),
          parts.flatMap(({ option }) => option ?? []),
          name
        )
        for (const one of subcommands) assert.match(stdout, new RegExp(`^ {2}${one.path.at(-1)} `, "m"))
        assert.match(stdout, new RegExp(`^ {2}\\$ muster ${name}\\b`, "m"), `${name} has an example`)
      }
    })
  )

  it.effect("shows examples that the commands themselves can read", () =>
    Effect.gen(function* () {
      for (const { options, path } of yield* all) {
        const { stdout } = yield* muster(...path, "--help")
        const known = new Set(["--help", ...options.map(({ label }) => label.split(" ")[0])])
        const below = (yield* all).filter((one) => path.every((word, index) => one.path[index] === word))
        for (const one of below) for (const { label } of one.options) known.add(label.split(" ")[0])
        for (const [option] of stdout.slice(stdout.indexOf("EXAMPLES")).matchAll(/ --[a-z-]+/g)) {
          assert.isTrue(known.has(option.trim()), `${path.join(" ")}${option}`)
        }
      }
    })
  )

  it.effect("is given wherever it is asked for, but not in place of a value or behind two dashes", () =>
    Effect.gen(function* () {
      assert.include((yield* muster("hooks", "add", "x", "--help")).stdout, "USAGE\n  muster hooks add")
      assert.include((yield* muster("help", "list")).stdout, "USAGE\n  muster list")
      assert.include((yield* muster("hooks")).stdout, "USAGE\n  muster hooks [COMMAND]")
      const nowhere = { SERVICE_API_URL: "http://127.0.0.1:1" }
      for (const words of [
        ["create", "--", "--help"],
        ["create", "--description", "--help", "A"]
      ]) {
        assert.strictEqual((yield* cliWith(nowhere, ...words)).exitCode, 6, words.join(" "))
      }
    })
  )
})

describe("a word that the command does not know", () => {
  it.effect("is answered with the one that was meant", () =>
    Effect.gen(function* () {
      for (const [words, told] of [
        [["hooks", "lst"], "muster hooks has no command lst: did you mean list?"],
        [["list", "--stauts", "todo"], "muster list has no option --stauts: did you mean --status?"],
        [["relay", "pol", "--json"], "muster relay has no command pol: did you mean poll?"],
        [["list", "--limit=5", "--colour=red"], "muster list has no option --colour"],
        [["list", "all"], "all is one word too many here"],
        [["list", "--limit", "5", "--limit", "6"], "--limit is given twice"],
        [["list", "--status"], "--status needs a value"],
        [["list", "--status="], "--status needs a value"],
        [["hooks", "add", "x"], "muster hooks add needs --event EVENT"],
        [["list", "--limit", "many"], "--limit: Expected an integer from 1 to 10000"],
        [
          ["pair", "x", "--role", "agnet"],
          '--role: Expected "admin" or "agent" or "read-only"; did you mean "agent"?'
        ],
        [["mcp", "config", "emacs"], 'CLIENT: Expected "claude-code" or "cursor" or "vscode"'],
        [["--json", "list"], "The command comes first, and --json is not a command"]
      ] as const) {
        const { exitCode, stderr } = yield* muster(...words)
        assert.strictEqual(exitCode, 2, words.join(" "))
        assert.strictEqual(stderr.split("\n")[0], `muster: ${told}`)
        assert.match(stderr, /--help (?:shows how it is used|lists them all)\.$/)
      }
      const value = yield* muster("list", "--status", "tood", "--json")
      assert.match(value.json().error, /^--status: Expected .* did you mean "todo"\?$/)
      const role = yield* muster("pair", "x", "--role", "agnet")
      assert.strictEqual(role.exitCode, 2)
      assert.strictEqual(role.stderr.split("\n").length, 2, role.stderr)
    })
  )

  it.effect("is no question: without a terminal, and with one, nothing is asked", () =>
    Effect.gen(function* () {
      for (const option of ["--wizard", "--completions", "--log-level"]) {
        const { exitCode, stderr } = yield* muster("list", option, "bash")
        assert.strictEqual(exitCode, 2)
        assert.include(stderr, `muster list has no option ${option}`)
      }
      for (const path of [["begin"], ["hooks", "add"], ["pair"], ["key", "create"]]) {
        assert.strictEqual((yield* muster(...path)).exitCode, 2, path.join(" "))
      }
    })
  )
})

describe("completions", () => {
  /** What bash offers for the last of some words. */
  const offered = (...words: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { stdout } = yield* muster("completions", "bash")
      const given = words.map((word) => `'${word}'`).join(" ")
      const ask = `COMP_WORDS=(muster ${given}); COMP_CWORD=${words.length}; _muster; echo "\${COMPREPLY[@]}"`
      return (yield* execute("bash", ["-c", `${stdout}\n${ask}`])).stdout.trim().split(" ")
    })

  it.live("offer commands, the commands below them and options, and nothing that there is not", () =>
    Effect.gen(function* () {
      assert.sameMembers(yield* offered(""), [...catalogue.map(({ name }) => name), "--help", "--version"])
      assert.deepStrictEqual(yield* offered("be"), ["begin"])
      assert.sameMembers(yield* offered("hooks", ""), [
        "add",
        "executions",
        "fire",
        "list",
        "remove",
        "--help"
      ])
      assert.deepStrictEqual(yield* offered("hooks", "add", "Tell", "--url-"), ["--url-ref"])
      assert.sameMembers(yield* offered("list", "--a"), ["--assignee", "--agent"])
    })
  )

  it.effect("are there for zsh and fish, and for no other shell", () =>
    Effect.gen(function* () {
      assert.match((yield* muster("completions", "zsh")).stdout, /bashcompinit\n_muster\(\)/)
      const fish = (yield* muster("completions", "fish")).stdout
      assert.include(fish, "complete -c muster -n __fish_use_subcommand -a begin -d 'Start work")
      assert.include(fish, "-l status -r -d 'Only tasks in this status")
      assert.include(
        (yield* muster("completions", "cmd")).stderr,
        'SHELL: Expected "bash" or "zsh" or "fish"'
      )
    })
  )
})
