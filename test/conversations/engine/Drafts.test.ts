import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { nip19, validateEvent, verifyEvent } from "nostr-tools"
import {
  authentication,
  deletion5,
  deletion9005,
  edit,
  message,
  ownerTag,
  persona,
  reply,
  team
} from "../../support/relay/Drafts.ts"
import { judge } from "../../support/relay/Judge.ts"
import { identities, seconds } from "../../support/relay/Keys.ts"
import { ownerOf } from "../../support/relay/Membership.ts"

const { agent, alice, bob, owner } = identities
const channel = "7b1f0f6e-6f0a-4d55-9d0a-000000000001"

describe("the drafts of the tests", () => {
  it("are events to an implementation that shares no code with their signer", async () => {
    const root = message({
      by: alice,
      channel,
      content: "“Ünï” \u2028 \u0007 😀\n",
      tags: [["p", bob.publicKey]]
    })
    const first = reply({ by: bob, to: root, content: "One" })
    const nested = reply({ by: alice, to: first, content: "Two" })
    const all = [
      root,
      first,
      nested,
      edit({ by: alice, target: root, content: "Anew" }),
      deletion9005({ by: alice, target: nested, tags: [["public_reason", "Wrong thread"]] }),
      deletion5({ by: alice, target: nested, h: true }),
      persona({ by: bob, d: "ada", content: { display_name: "Ada" } }),
      team({ by: bob, d: "crew", content: { name: "Crew", persona_ids: ["ada"] } }),
      authentication({ by: bob, challenge: "c", relay: "ws://127.0.0.1:1" })
    ]
    for (const event of all) {
      assert.isTrue(await judge(event), `kind ${event.kind}`)
      assert.isTrue(validateEvent(event) && verifyEvent({ ...event }))
      assert.isFalse(await judge({ ...event, created_at: event.created_at + 1 }))
    }
    assert.isFalse(await judge({ ...root, id: "no id" }))
  })

  it("thread as relays of the family do", () => {
    const root = message({ by: alice, channel, content: "Root" })
    const direct = reply({ by: bob, to: root, content: "One" })
    const nested = reply({ by: alice, to: direct, content: "Two" })
    const deeper = reply({ by: bob, to: nested, content: "Three" })
    const markers = [direct, nested, deeper].map(({ tags }) => tags.filter(([name]) => name === "e"))
    assert.deepStrictEqual(markers, [
      [["e", root.id, "", "reply"]],
      [
        ["e", root.id, "", "root"],
        ["e", direct.id, "", "reply"]
      ],
      [
        ["e", root.id, "", "root"],
        ["e", nested.id, "", "reply"]
      ]
    ])
  })

  it("vouch for an agent in the words of the specification", () => {
    // The message of the specification's own example, whose keys are 1 for the owner and 2 for the agent.
    const agentOfExample = "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
    const said = `nostr:agent-auth:${agentOfExample}:kind=1&created_at<1713957000`
    assert.match(createHash("sha256").update(said).digest("hex"), /^08cdecd5/)
    const at = seconds()
    const tag = ownerTag({ owner, agent, conditions: `kind=9&created_at>${at - 1}&created_at<${at + 1}` })
    assert.strictEqual(ownerOf(tag, agent.publicKey, at), owner.publicKey)
    assert.isUndefined(ownerOf(tag, agent.publicKey, at + 1))
    assert.isUndefined(ownerOf(tag, bob.publicKey, at))
    assert.isUndefined(ownerOf([...tag, "more"], agent.publicKey, at))
    assert.isUndefined(ownerOf(ownerTag({ owner, agent: owner }), owner.publicKey, at))
    for (const conditions of ["kind=01", "kind=1&", "kind=65536", " kind=1", "created_at<4294967296", "x"]) {
      assert.isUndefined(ownerOf(ownerTag({ owner, agent, conditions }), agent.publicKey, at), conditions)
    }
  })

  it("come from identities that are the same in all their forms", () => {
    for (const { hex, npub, nsec, publicKey, secret } of Object.values(identities)) {
      assert.deepStrictEqual(nip19.decode(nsec), { type: "nsec", data: secret })
      assert.deepStrictEqual(nip19.decode(npub), { type: "npub", data: publicKey })
      assert.strictEqual(Buffer.from(secret).toString("hex"), hex)
    }
  })
})
