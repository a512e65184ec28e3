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
  {
    says: "insight stands below the board",
    files: /^insight\//,
    never: /^(board|governance|runs|conversations|integrations)\//
  },
  {
    says: "identity stands below the board",
    files: /^identity\//,
    never: /^(board|governance|runs|insight|conversations|integrations)\//
  },
  {
    says: "the board stands below what governs and runs",
    files: /^board\//,
    never: /^(governance|runs|conversations|integrations)\//
  },
  {
    says: "what governs stands below what runs",
    files: /^governance\//,
    never: /^(runs|conversations|integrations)\//
  },
  {
    says: "runs stand below what reaches others",
    files: /^runs\//,
    never: /^(conversations|integrations)\//
  },
  {
    says: "conversations stand beside the integrations",
    files: /^conversations\//,
    never: /^integrations\//
  },
  {
    says: "integrations stand beside the conversations",
    files: /^integrations\//,
    never: /^conversations\//
  },
  { says: "the tasks room is the ground floor", files: /^board\/tasks\//, never: /^board\/(?!tasks\/)/ },
  {
    says: "no room knows the door, a client or the composition",
    files: /^(?!kernel\/|storage\/|http\/|client\/|cli\/|mcp\/)[^/]+\//,
    never: /^(http|client|cli|mcp)\/|^[^/]+\.ts$/
  },
  {
    says: "the door knows the contract and who somebody is, and of other rooms nothing",
    files: /^http\/(?!TaskLanes\.ts$)/,
    never:
      /^(?!(http|kernel|storage)\/|(Api|Contents|Examples)\.ts$|identity\/(Denials|Events|auth\/Auth|principals\/(Credentials|GrantLimit|Principals))\.ts$)/
  },
  {
    says: "one file of the door answers for a room: with what is asked of tasks most, past the router",
    files: /^http\/TaskLanes\.ts$/,
    never: /^(?!(http|kernel)\/|board\/tasks\/(Http|Task|Tasks)\.ts$)/
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
    files: /^cli\/(?!commands\/people\/Mcp\.ts$)/,
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
    files: /^(conversations|integrations)\/(?!relay\/VersionCommand\.ts$)/,
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
    says: "nothing that reaches others reads files or starts programs by itself: what a relay keeps on this machine is its own",
    text: /from "node:(?:fs|child_process|worker_threads)/,
    files: /^(?!(?:conversations|integrations)\/)/
  },
  {
    says: "the edge alone reads the environment: others hand it on to programs, or look for programs in it",
    text: /\bprocess\.env\b|\bConfig\.string\(/,
    files:
      /^(Serve|Variables)\.ts$|^c(li|lient)\/|^kernel\/git\/Git\.ts$|^board\/(worktrees\/Worktrees|agents-config\/Programs)\.ts$|^runs\/adapters\/CommandAdapter\.ts$/
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

/** The room of a file: the folder below a district that it lies in. A file of the district itself is one of its doors. */
const roomOf = (file: string): string | undefined => (dirname(file).includes("/") ? dirname(file) : undefined)

/** Every room with the other rooms that its files import. */
const rooms: typeof imports = [...imports].reduce((found, [file, targets]) => {
  const room = roomOf(file)
  if (room === undefined) return found
  const others = targets.flatMap((target) => roomOf(target) ?? []).filter((other) => other !== room)
  return found.set(room, [...(found.get(room) ?? []), ...others])
}, new Map<string, ReadonlyArray<string>>())

/** Every import of a file of a room by a file outside of it. */
const visits: ReadonlyArray<readonly [string, string]> = [...imports].flatMap(([file, targets]) =>
  targets
    .filter((target) => roomOf(target) !== undefined && roomOf(target) !== roomOf(file))
    .map((target) => [file, target] as const)
)

/** Whether a file is a door of the district that another one lies in. */
const isDoorOf = (file: string, target: string): boolean =>
  roomOf(file) === undefined && target.startsWith(`${dirname(file)}/`)

const isRepo = (file: string): boolean => /[a-z]Repo\.ts$/.test(file)

/** Whether a file is how a room is met: what it lends, what it serves, or its handlers. */
const isFace = (file: string): boolean =>
  /\/(Units|Http)\.ts$/.test(file) || /\bContext\.Tag\(/.test(readFileSync(join(source, file), "utf8"))

/** Whether a file works on the tables of its room: it reaches a repo there. */
const usesTables = (file: string): boolean =>
  [file, ...chains(file, loaded).keys()].some(
    (reached) => isRepo(reached) && roomOf(reached) === roomOf(file)
  )

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

  it("keeps a repo inside its room", () => {
    assert.isAbove(visits.length, 100)
    const asked = visits.filter(([, target]) => isRepo(target))
    assert.deepStrictEqual(asked.map(shown), [])
  })

  it("lends what works on a room's tables by its units, or serves it", () => {
    const asked = visits.filter(
      ([file, target]) => !isDoorOf(file, target) && !isFace(target) && usesTables(target)
    )
    assert.deepStrictEqual(asked.map(shown), [])
  })

  it("has no two rooms that import each other, through any chain of rooms", () => {
    assert.isAbove(rooms.size, 50)
    const circles = [...rooms.keys()].flatMap((room) => {
      const circle = chains(room, rooms).get(room)
      return circle === undefined ? [] : [shown(circle)]
    })
    assert.deepStrictEqual(circles, [])
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

  it("has rooms that can be taken in: fifteen files and fifteen hundred lines at the most", () => {
    const taken = /^(?:cli|conversations|governance|integrations|kernel|mcp|runs)\//
    const walked = [...rooms.keys()].filter((room) => taken.test(room))
    assert.isAbove(walked.length, 25)
    for (const room of walked) {
      const files = [...imports.keys()].filter((file) => roomOf(file) === room)
      assert.isAtMost(files.length, 15, room)
      const lines = files.map((file) => readFileSync(join(source, file), "utf8").split("\n").length)
      assert.isAtMost(
        lines.reduce((sum, count) => sum + count, 0),
        1_500,
        room
      )
    }
  })

  it("has no cycles, not even of types", () => {
    const cycles = [...imports.keys()].flatMap((file) => chains(file).get(file) ?? [])
    assert.deepStrictEqual(cycles, [])
  })
})
