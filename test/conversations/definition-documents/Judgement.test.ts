import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { personaKind, teamKind } from "../../../src/board/agent-profiles/ImportSource.ts"
import { forbiddenBy } from "../../../src/conversations/definition-documents/Forbidden.ts"
import { coordinateOf, type Head, withHeads } from "../../../src/conversations/definition-documents/Head.ts"
import { judge } from "../../../src/conversations/definition-documents/Judgement.ts"
import { slugOf, targetIdOf } from "../../../src/conversations/definitions/TargetId.ts"
import type { NostrEvent, Tag } from "../../../src/conversations/wire/NostrEvent.ts"

const author = "a".repeat(64)

const event = (parts: Partial<NostrEvent> = {}): NostrEvent => ({
  id: "1".repeat(64),
  pubkey: author,
  created_at: 1_700_000_000,
  kind: personaKind,
  tags: [["d", "scout"]],
  content: "{}",
  sig: "",
  ...parts
})

const headOf = (parts: Partial<NostrEvent>): Head => {
  const found = event(parts)
  const coordinate = coordinateOf(found)
  return coordinate === undefined ? assert.fail("it has a coordinate") : { coordinate, event: found }
}

const persona = (content: unknown, tags: ReadonlyArray<Tag> = [["d", "scout"]]) =>
  judge(headOf({ tags, content: typeof content === "string" ? content : JSON.stringify(content) }))

const team = (content: unknown) => judge(headOf({ kind: teamKind, content: JSON.stringify(content) }))

const rejectedIn = (judgement: ReturnType<typeof judge>) =>
  judgement.fields.filter(({ disposition }) => disposition === "rejected").map(({ field }) => field)

const scout = { display_name: "Scout" }
const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

describe("a persona", () => {
  it("needs a name, and leaves out what it does not say", () => {
    assert.deepStrictEqual(persona(scout).definition?.content, {
      name: "Scout",
      prompt: "",
      preferences: {},
      metadata: {}
    })
    const silent = { ...scout, system_prompt: null, model: "", name_pool: null, avatar_url: null }
    assert.deepStrictEqual(persona(silent).definition, persona(scout).definition)
    for (const content of [{}, { display_name: " " }, { display_name: 7 }, { display_name: "a\nb" }])
      assert.deepStrictEqual(rejectedIn(persona(content)), ["display_name"])
  })

  it.each([
    ["apiKey", { apiKey: "x" }],
    ["env_vars", { env_vars: {} }],
    ["settings.environment", { settings: { environment: { A: "b" } } }],
    ["command", { command: "rm" }],
    ["cwd", { cwd: "/" }],
    ["avatar_path", { avatar_path: "a" }],
    ["pid", { pid: 1 }],
    ["managedAgent", { managedAgent: true }],
    ["runtime_state", { runtime_state: {} }],
    ["MCPServers", { MCPServers: [] }],
    ["toolServers", { toolServers: [] }],
    ["hooks", { hooks: [] }],
    ["skills", { skills: [] }],
    ["deep[0].engrams", { deep: [{ engrams: [] }] }],
    ["motto", { motto: `it is ${secret}` }],
    ["system_prompt", { system_prompt: `password=${secret}` }],
    ["avatar_url", { avatar_url: "https://ann:pass@example.com/a.png" }]
  ])("with %s is rejected, and not a value of it is told", (field, extra) => {
    const judgement = persona({ ...scout, ...extra })
    assert.isUndefined(judgement.definition)
    assert.deepStrictEqual(rejectedIn(judgement), [field])
    assert.notInclude(JSON.stringify(judgement), secret)
  })

  it("is not told by a name that is a secret itself", () => {
    const judgement = persona({ ...scout, [secret]: 1 })
    assert.isUndefined(judgement.definition)
    assert.notInclude(JSON.stringify(judgement), secret)
  })

  it.each([
    ["content", "not JSON"],
    ["content", "[]"],
    ["content", JSON.stringify({ ...scout, filler: "x".repeat(65_536) })],
    ["content", JSON.stringify({ ...scout, deep: JSON.parse(`${"[".repeat(10)}${"]".repeat(10)}`) })],
    ["content", JSON.stringify({ ...scout, ...Object.fromEntries(Array(200).fill(0).entries()) })],
    ["many", JSON.stringify({ ...scout, many: Array(201).fill(0) })],
    ["long", JSON.stringify({ ...scout, long: "x".repeat(20_001) })],
    ["display_name", JSON.stringify({ display_name: "x".repeat(121) })],
    ["system_prompt", JSON.stringify({ ...scout, system_prompt: "x".repeat(10_001) })],
    ["model", JSON.stringify({ ...scout, model: "x".repeat(121) })],
    ["name_pool", JSON.stringify({ ...scout, name_pool: Array(51).fill("a") })],
    ["name_pool", JSON.stringify({ ...scout, name_pool: ["a", 1] })]
  ])("is bounded in %s (%#)", (field, content) => {
    assert.deepStrictEqual(rejectedIn(persona(content)), [field])
  })

  it("is bounded in its tags", () => {
    const d: Tag = ["d", "scout"]
    const wrong: ReadonlyArray<ReadonlyArray<Tag>> = [
      [d, ...Array.from({ length: 50 }, (): Tag => ["t", "x"])],
      [d, Array.from({ length: 11 }, () => "t")],
      [d, ["t", "x".repeat(2_049)]],
      [d, ["t", secret]]
    ]
    for (const tags of wrong) assert.deepStrictEqual(rejectedIn(persona(scout, tags)), ["tags"])
    assert.deepStrictEqual(rejectedIn(persona(scout, [d, ["d", "other"]])), ["d"])
  })

  it("loses a picture that is not on the public web, and keeps the rest", () => {
    const urls = [
      "http://localhost/a.png",
      "http://10.0.0.1/a.png",
      "http://printer/a.png",
      "http://nas.local/a.png",
      "data:image/png;base64,AAAA",
      "javascript:alert(1)",
      "a.png",
      `https://example.com/${"x".repeat(2_000)}`
    ]
    for (const avatar_url of urls) {
      const { definition, fields } = persona({ ...scout, avatar_url })
      assert.deepStrictEqual(definition, persona(scout).definition)
      assert.deepInclude(fields[1], { field: "avatar_url", disposition: "ignored" })
    }
  })
})

describe("a team", () => {
  it("needs a name alone, and has each persona once", () => {
    assert.deepStrictEqual(team({ name: "Core" }).definition?.content, { name: "Core", personas: [] })
    assert.deepStrictEqual(
      team({ name: "Core", persona_ids: ["scout", "writer", "scout"], instructions: "Be kind" }).definition
        ?.content,
      { name: "Core", personas: ["scout", "writer"] }
    )
  })

  it.each([
    ["name", {}],
    ["description", { name: "Core", description: "x".repeat(2_001) }],
    ["persona_ids", { name: "Core", persona_ids: ["../etc"] }],
    ["persona_ids", { name: "Core", persona_ids: "scout" }],
    ["persona_ids", { name: "Core", persona_ids: Array.from({ length: 101 }, (_, n) => `p${n}`) }],
    ["hooks", { name: "Core", hooks: {} }]
  ])("is rejected for its %s (%#)", (field, content) => {
    assert.deepStrictEqual(rejectedIn(team(content)), [field])
  })
})

describe("what definitions may say", () => {
  it("is never a text that cannot be judged, whatever it is, and the judgement is the same twice", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(FastCheck.string(), FastCheck.json()), (content) => {
        const judgement = persona(content)
        assert.deepStrictEqual(judgement, persona(content))
        assert.strictEqual(judgement.definition === undefined, rejectedIn(judgement).length > 0)
      })
    )
  })

  it("does not depend on how a forbidden name is spelled", () => {
    const word = FastCheck.constantFrom("env", "command", "cwd", "pid", "mcp", "hook", "skill", "engram")
    const other = FastCheck.constantFrom("agent", "list", "my", "default")
    FastCheck.assert(
      FastCheck.property(word, other, FastCheck.boolean(), (forbidden, harmless, first) => {
        const words = first ? [forbidden, harmless] : [harmless, forbidden]
        const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
        for (const name of [
          words.join("_"),
          words.join("-"),
          words.join(".").toUpperCase(),
          words.map(capital).join(""),
          `${words[0]}${capital(words[1] ?? "")}`
        ])
          assert.isDefined(forbiddenBy(name), name)
        assert.isUndefined(forbiddenBy(harmless))
      })
    )
  })
})

describe("heads", () => {
  const versions = FastCheck.array(
    FastCheck.record({
      d: FastCheck.constantFrom("scout", "writer"),
      created_at: FastCheck.integer({ min: 1, max: 3 }),
      id: FastCheck.stringMatching(/^[0-9a-f]{64}$/)
    }),
    { maxLength: 12 }
  )

  it("are the latest of a coordinate, then the lowest id, in whatever order and parts they come", () => {
    FastCheck.assert(
      FastCheck.property(versions, FastCheck.nat(12), (all, cut) => {
        const heads = all.map(({ created_at, d, id }) => headOf({ id, created_at, tags: [["d", d]] }))
        const inParts = withHeads(withHeads(new Map(), heads.slice(cut).toReversed()), heads.slice(0, cut))
        for (const dTag of ["scout", "writer"]) {
          const [expected] = heads
            .filter(({ coordinate }) => coordinate.dTag === dTag)
            .toSorted((a, b) => b.event.created_at - a.event.created_at || (a.event.id < b.event.id ? -1 : 1))
          assert.strictEqual(inParts.get(`30175:${author}:${dTag}`)?.event.id, expected?.event.id)
        }
      })
    )
  })

  it("have no coordinate without a d tag of their kind, or with one that is a secret", () => {
    for (const tags of [
      [],
      [["d"]],
      [["d", ""]],
      [["d", "Scout!"]],
      [["d", "x".repeat(65)]],
      [["d", secret]]
    ])
      assert.isUndefined(coordinateOf(event({ tags })))
    assert.isUndefined(coordinateOf(event({ kind: 30177 })))
    const welcome: ReadonlyArray<Tag> = [["d", "builtin-team:welcome"]]
    assert.isUndefined(coordinateOf(event({ tags: welcome })))
    assert.strictEqual(coordinateOf(event({ kind: teamKind, tags: welcome }))?.dTag, "builtin-team:welcome")
  })
})

describe("the ids of what is imported", () => {
  it("are made of the d tag", () => {
    assert.strictEqual(targetIdOf({ kind: personaKind, dTag: "scout_2" }), "relay-scout_2")
    assert.strictEqual(
      targetIdOf({ kind: teamKind, dTag: "builtin-team:Welcome" }),
      "relay-team-builtin-team-welcome"
    )
  })

  it("are short and plain whatever the tag is", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary" }), (dTag) => {
        assert.match(slugOf(dTag), /^[a-z0-9_-]{1,64}$/)
      })
    )
  })
})
