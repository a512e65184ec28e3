import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { readBatch } from "../../../src/board/imports/ImportBatch.ts"
import { TaskPriority, TaskStatus } from "../../../src/board/tasks/Task.ts"
import { marker } from "../../../src/kernel/Redaction.ts"

const oddities = readFileSync(new URL("oddities.jsonl", import.meta.url), "utf8")
const textOf = (...lines: ReadonlyArray<unknown>) => lines.map((line) => JSON.stringify(line)).join("\n")
const only = (line: unknown) => readBatch(textOf(line))

const word = fc.stringMatching(/^[a-z]{1,12}$/)
const task = fc.record(
  {
    id: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
    title: fc.stringMatching(/^[a-z][a-z ]{0,40}[a-z]$/),
    status: fc.constantFrom(...TaskStatus.literals),
    priority: fc.constantFrom(...TaskPriority.literals),
    labels: fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
    assignee: word,
    project: word,
    type: word
  },
  { requiredKeys: ["title"] }
)

describe("a line", () => {
  it.prop("that already speaks this board's language is taken word for word", [task], ([line]) => {
    const { id, ...draft } = line
    const batch = only(line)
    assert.deepStrictEqual(batch.failed, [])
    const [read] = batch.lines
    assert.deepInclude({ ...read?.draft }, draft)
    assert.strictEqual(read?.id, id)
  })

  it.prop(
    "is either understood or fails, whatever it says",
    [fc.array(fc.oneof(fc.json(), fc.string()), { maxLength: 8 })],
    ([lines]) => {
      const text = lines.join("\n")
      const batch = readBatch(text)
      const said = text.split("\n").filter((line) => line.trim() !== "").length
      assert.strictEqual(batch.lines.length + batch.failed.length, said)
    }
  )

  it.prop(
    "with random members of known names never breaks the reader",
    [
      fc.record(
        {
          title: fc.oneof(fc.jsonValue(), fc.constant("Title")),
          id: fc.jsonValue(),
          sourceId: fc.jsonValue(),
          status: fc.jsonValue(),
          priority: fc.jsonValue(),
          labels: fc.jsonValue(),
          assignee: fc.jsonValue(),
          dependencies: fc.jsonValue(),
          acceptanceCriteria: fc.jsonValue(),
          createdAt: fc.jsonValue(),
          git: fc.jsonValue(),
          externalWorkItems: fc.jsonValue()
        },
        { requiredKeys: [] }
      )
    ],
    ([line]) => {
      const batch = only(line)
      assert.strictEqual(batch.lines.length + batch.failed.length, 1)
    }
  )

  it("loses its secrets and keeps its id", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`
    const [line] = only({
      id: "A-1",
      title: `Use ${secret}`,
      acceptanceCriteria: [`${secret} is gone`]
    }).lines
    assert.strictEqual(line?.draft.title, `Use ${marker}`)
    assert.deepStrictEqual(line?.draft.acceptanceCriteria, [{ text: `${marker} is gone`, done: false }])
    assert.strictEqual(line?.id, "A-1")
  })

  it("names its first fault without repeating what was sent", () => {
    const faults: ReadonlyArray<readonly [unknown, string, string]> = [
      [[1], "", "Expected a JSON object"],
      [{ id: "A" }, "title", "is missing"],
      [{ title: "  " }, "title", "Expected text that is not blank"],
      [{ title: "x".repeat(501) }, "title", "Expected at most 500 characters"],
      [{ title: "x", status: "zebra" }, "status", "Expected a status that this board knows"],
      [{ title: "x", priority: 7 }, "priority", "Expected a priority that this board knows"],
      [{ title: "x", description: "x".repeat(100_001) }, "description", "Expected at most 100000 characters"],
      [{ title: "x", labels: ["ok", "y".repeat(101)] }, "labels.1", "Expected at most 100 characters"],
      [{ title: "x", created_at: "yesterday" }, "created_at", "Expected an ISO 8601 date and time"],
      [{ title: "x", dependencies: [{ id: 1 }] }, "dependencies.0", "Expected string"],
      [
        { title: "x", git: { pr: { repository: "nowhere", number: 1 } } },
        "git.pr.repository",
        "Expected owner/name"
      ],
      [
        { title: "x", sourceId: "s".repeat(501) },
        "sourceId",
        "Expected at most 500 characters of well-formed Unicode"
      ]
    ]
    for (const [line, path, message] of faults) {
      const [failed] = only(line).failed
      assert.strictEqual(failed?.path, path)
      assert.include(failed?.message, message)
      assert.notInclude(failed?.message, "zebra")
    }
    assert.deepStrictEqual(readBatch("{").failed, [{ line: 1, path: "", message: "Expected valid JSON" }])
    assert.include(readBatch(`${"[".repeat(100)}`).failed[0]?.message, "levels of nesting")
  })
})

describe("a batch of lines", () => {
  it("understands the oddities of real files", () => {
    const { failed, ignoredFields, lines } = readBatch(oddities)
    assert.deepStrictEqual(
      lines.map(({ draft, id, references }) => ({ id, references, ...draft })),
      [
        {
          id: "BOAT-1",
          references: ["task-0"],
          title: "Build the hull",
          status: "done",
          description: "Planks first.",
          labels: ["wood", "hull"],
          assignee: "ada",
          agents: [],
          acceptanceCriteria: [{ text: "It floats", done: true }]
        },
        {
          id: "BOAT-2",
          references: ["task-1"],
          title: "Raise the mast",
          status: "todo",
          priority: "high",
          description: "",
          labels: ["wood", "rig"],
          assignee: "grace",
          agents: [],
          acceptanceCriteria: [
            { text: "It stands", done: false },
            { text: "It bends", done: false }
          ]
        },
        {
          id: "BOAT-2.1",
          references: ["boat-2"],
          title: "Stay the mast",
          status: "in-progress",
          priority: "critical",
          labels: ["rig", "rope"],
          agents: []
        },
        {
          id: "bd-a3f8.1",
          references: ["BOAT-2.1"],
          title: "Sew the sails",
          status: "todo",
          priority: "low",
          type: "chore",
          labels: [],
          assignee: "ada",
          agents: ["linus"]
        },
        {
          id: undefined,
          references: ["bd-a3f8.1", "anchor-9"],
          title: "Hoist the sails",
          status: "blocked",
          labels: [],
          agents: ["codex"]
        },
        { id: undefined, references: [], title: "Choose a name", status: "backlog", labels: [], agents: [] }
      ]
    )
    assert.deepStrictEqual(
      lines.map(({ createdAt }) => (createdAt === undefined ? undefined : new Date(createdAt).toISOString())),
      [
        "2025-06-03T00:00:00.000Z",
        "2025-08-23T19:12:00.000Z",
        "2025-08-24T07:30:00.000Z",
        "2025-08-25T10:00:00.123Z",
        undefined,
        undefined
      ]
    )
    assert.deepStrictEqual(
      failed.map(({ line, path }) => [line, path]),
      [
        [8, "title"],
        [9, "status"],
        [10, "priority"],
        [11, ""]
      ]
    )
    assert.deepStrictEqual(ignoredFields, ["completed", "dependencies of kind parent-child"])
  })

  it("tells lines of one id apart, also when one of them fails", () => {
    const sources = (...lines: ReadonlyArray<unknown>) =>
      readBatch(textOf(...lines)).lines.map(({ sourceId }) => sourceId)
    const first = { id: "A", title: "First" }
    const second = { id: "A", title: "Second" }
    assert.deepStrictEqual(sources(first, second, first), ["A", "A#2", "A#3"])
    assert.deepStrictEqual(sources({ id: "A" }, second), ["A#2"])
    assert.deepStrictEqual(sources({ ...first, sourceId: "mine" }, second), ["mine", "A"])
    const [digest, same, other] = sources({ title: "x" }, { title: "x" }, { title: "y" })
    assert.match(digest ?? "", /^sha256:[0-9a-f]{64}$/)
    assert.strictEqual(digest, same)
    assert.notStrictEqual(digest, other)
  })
})
