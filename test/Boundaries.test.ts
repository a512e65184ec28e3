import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const source = fileURLToPath(new URL("../src", import.meta.url))

/** What a district or a file must not import, itself or, with `through`, through others. */
interface Rule {
  readonly says: string
  readonly files: RegExp
  readonly never: RegExp
  readonly through?: true
  /** Files through which it may reach what it must not import. */
  readonly but?: RegExp
}

/** The plan of the house. Arrows run one way and none runs up: main, Program, Http, service, Repo, storage, kernel. */
const rules: ReadonlyArray<Rule> = [
  { says: "the kernel knows no district", files: /^kernel\//, never: /^(?!kernel\/)/ },
  { says: "storage knows the kernel alone", files: /^storage\//, never: /^(?!kernel\/|storage\/)/ },
  { says: "insight stands below the board", files: /^insight\//, never: /^(board|integrations)\// },
  { says: "identity stands below the board", files: /^identity\//, never: /^(board|insight|integrations)\// },
  { says: "the tasks room is the ground floor", files: /^board\/tasks\//, never: /^board\/(?!tasks\/)/ },
  {
    says: "no room knows the door, a client or the composition",
    files: /^(?!kernel\/|storage\/|http\/|client\/|cli\/|mcp\/)[^/]+\//,
    never: /^(http|client|cli|mcp)\/|^[^/]+\.ts$/
  },
  {
    says: "only handlers and the doors of districts know handlers",
    files: /^(?!.*(^|\/)Http\.ts$|[^/]+\/[^/]+\.ts$)/,
    never: /\/Http\.ts$/
  },
  { says: "nothing imports the edge", files: /./, never: /^main\.ts$/ },
  {
    says: "the contract stands on schemas and the kernel",
    files: /(^|\/)Api\.ts$/,
    never: /^(http|storage)\/|(^|\/)(Http|Program|Config|Variables)\.ts$/,
    through: true
  },
  { says: "the client knows neither of those who stand on it", files: /^client\//, never: /^(cli|mcp)\// },
  { says: "the tool server knows no command", files: /^mcp\//, never: /^cli\// },
  {
    says: "one command alone knows the tool server: the one that starts it",
    files: /^cli\/(?!commands\/Mcp\.ts$)/,
    never: /^mcp\//
  },
  {
    says: "a client stands on the contract, schemas and the kernel",
    files: /^(client|cli|mcp)\//,
    never: /^(http|storage)\/|(^|\/)(Http|Program|Config|Variables)\.ts$/,
    through: true,
    but: /^offline\//
  },
  {
    says: "what others say starts no program: a relay's version alone is asked of one",
    files: /^integrations\/(?!relay\/VersionCommand\.ts$)/,
    never: /^kernel\/(process|git)\//
  },
  {
    says: "what works on the files of a stopped server knows storage and the kernel alone",
    files: /^offline\//,
    never: /^(?!kernel\/|storage\/|offline\/)/
  }
]

/** What stands in few files alone, so that one of them answers for all. */
const places: ReadonlyArray<{ readonly says: string; readonly text: RegExp; readonly files: RegExp }> = [
  {
    says: "no integration reads files or starts programs by itself: what a relay keeps on this machine is its own",
    text: /from "node:(?:fs|child_process|worker_threads)/,
    files: /^(?!integrations\/)/
  },
  {
    says: "the edge alone reads the environment: others hand it on to programs, or look for programs in it",
    text: /\bprocess\.env\b|\bConfig\.string\(/,
    files:
      /^(Serve|Variables)\.ts$|^c(li|lient)\/|^kernel\/git\/Git\.ts$|^board\/(worktrees\/Worktrees|agents-config\/Programs)\.ts$/
  },
  {
    says: "text is normalized where runs of marks are cut first: without it they take time that is quadratic",
    text: /\.normalize\(/,
    files: /^kernel\/Text\.ts$/
  },
  {
    says: "the two megabytes of the platform's page are imported where they are loaded on first use",
    text: /HttpApiSwagger"/,
    files: /^http\/DocsPage\.ts$/
  }
]

/** Every file of the source with the files that it imports, types included. */
const imports: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [
      file,
      [...readFileSync(join(source, file), "utf8").matchAll(/(?:from|import\(?)\s*"(\.[^"]+\.ts)"/g)].map(
        ([, path]) => join(dirname(file), path ?? "")
      )
    ])
)

/** The same without what is loaded when it is first used. */
const loaded: typeof imports = new Map(
  [...imports.keys()].map((file) => [
    file,
    [
      ...readFileSync(join(source, file), "utf8").matchAll(
        /^(?:import|export|\})(?! type).*from "(\.[^"]+)"/gm
      )
    ].map(([, path]) => join(dirname(file), path ?? ""))
  ])
)

/** The chains by which a file reaches others, itself last: one for each file that it reaches. */
const chains = (from: string, by = imports): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  const visit = (file: string, chain: ReadonlyArray<string>): void => {
    for (const next of by.get(file) ?? []) {
      if (found.has(next)) continue
      found.set(next, [...chain, next])
      visit(next, [...chain, next])
    }
  }
  visit(from, [from])
  return found
}

const shown = (chain: ReadonlyArray<string>): string => chain.join(" > ")

describe("the plan of the house", () => {
  it("is read from files that exist", () => {
    assert.isAbove(imports.size, 100)
    for (const [file, targets] of imports) {
      for (const target of targets) assert.isTrue(imports.has(target), `${file} imports ${target}`)
    }
  })

  it.each(rules)("$says", ({ but, files, never, through }) => {
    const broken = [...imports]
      .filter(([file]) => files.test(file))
      .flatMap(([file, targets]) =>
        through ? [...chains(file).values()] : targets.map((target) => [file, target])
      )
      .filter((chain) => never.test(chain.at(-1) ?? "") && !chain.some((file) => but?.test(file)))
    assert.deepStrictEqual(broken.map(shown), [])
  })

  it.each(places)("$says", ({ files, text }) => {
    const holding = [...imports.keys()].filter((file) => text.test(readFileSync(join(source, file), "utf8")))
    assert.isNotEmpty(holding)
    assert.deepStrictEqual(
      holding.filter((file) => !files.test(file)),
      []
    )
  })

  it("loads what readers of the contract alone need when they ask: no start and no command waits for it", () => {
    const readers = ["Examples.ts", "Contents.ts", "http/DocsPage.ts", "http/ContractDocument.ts"]
    for (const entry of ["Serve.ts", "cli/Cli.ts", "mcp/Server.ts"]) {
      const all = chains(entry, loaded)
      assert.isAbove(all.size, 0, entry)
      for (const reader of readers) assert.isUndefined(all.get(reader)?.join(" > "), `${entry} loads it`)
    }
    for (const reader of readers) assert.isTrue(chains("Serve.ts").has(reader), reader)
  })

  it("loads a command when it is asked for, and the groups of the contract that it asks: never the whole", () => {
    const help = chains("cli/Run.ts", loaded)
    assert.isTrue(help.has("cli/Catalogue.ts"))
    for (const file of help.keys()) {
      assert.notMatch(
        file,
        /(^|\/)Api\.ts$|^cli\/(commands|doctor|imports|live|relay)\//,
        help.get(file)?.join(" > ")
      )
    }
    for (const file of [...imports.keys()].filter((one) => /^(?:cli|client|mcp)\//.test(one))) {
      assert.isUndefined(chains(file).get("Api.ts")?.join(" > "), file)
    }
  })

  it("gives no service a place in the contract", () => {
    const services = [...chains("Api.ts").keys()].filter((file) =>
      /\bLayer\./.test(readFileSync(join(source, file), "utf8"))
    )
    assert.deepStrictEqual(services, [])
  })

  it("has no cycles, not even of types", () => {
    const cycles = [...imports.keys()].flatMap((file) => chains(file).get(file) ?? [])
    assert.deepStrictEqual(cycles, [])
  })
})
