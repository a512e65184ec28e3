import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { baseline, fixtures } from "../../../src/conversations/compatibility/Baseline.ts"
import { judgeInfo } from "../../../src/conversations/compatibility/Probe.ts"
import { meaningOf } from "../../../src/conversations/inbox/Meaning.ts"
import { failureOf, infoOf, submissionOf } from "../../../src/conversations/wire/Answers.ts"
import { httpAuth } from "../../../src/conversations/wire/HttpAuth.ts"
import { identityOf } from "../../../src/conversations/wire/Identity.ts"
import { attestationDigest, attestationOf } from "../../../src/conversations/wire/OwnerAttestation.ts"
import { identities } from "../../support/relay/Keys.ts"

// biome-ignore lint/suspicious/noExplicitAny: fixtures have shapes of their own
const fixture = (name: string): any => JSON.parse(readFileSync(`test/fixtures/relay/${name}.json`, "utf8"))

const answer = (status: number, headers: Record<string, string>, body: unknown) => ({
  status,
  headers,
  text: JSON.stringify(body)
})

const at = Date.parse("2026-11-21T10:00:00Z")

describe("The baseline of the relay bridge", () => {
  it("names fixtures that are there, and covers what they say", () => {
    const hash = createHash("sha256")
    for (const path of fixtures) {
      expect(existsSync(path)).toBe(true)
      hash.update(readFileSync(path))
    }
    expect(baseline.fixtureDigest).toBe(hash.digest("hex"))
    expect(baseline.commit).toMatch(/^[0-9a-f]{40}$/)
  })
})

describe("What a relay says about itself", () => {
  for (const { document, expectedCommunity, name, reason } of fixture("information").cases) {
    it(`decides by ${name}: ${reason}`, () => {
      const info = infoOf(answer(200, {}, document), at)
      const verdicts = info === undefined ? [] : judgeInfo(info, "relay.example", expectedCommunity)
      expect(verdicts.length).toBeGreaterThan(0)
      expect(verdicts.find(({ reason }) => reason !== undefined)?.reason ?? "ok").toBe(reason)
    })
  }
})

describe("What a relay answers", () => {
  const { answers, event } = fixture("errors")
  for (const { body, failure, headers, name, reason, status, submission } of answers) {
    it(`leads to ${submission} when an event is ${name}`, () => {
      const found = submissionOf(answer(status, headers, body), event, at)
      expect(found._tag).toBe(submission)
      if (reason !== null) expect(found).toMatchObject({ reason })
      if (failure !== "none") expect(failureOf(answer(status, headers, body), at).reason).toBe(failure)
    })
  }

  it("names the pause that it asks for, and how far the clocks are apart", () => {
    const slow = answer(429, {}, { error: "rate-limited: quota exceeded; retry in 7s" })
    expect(failureOf(slow, at).retryAfterMs).toBe(7_000)
    const skewed = answer(401, { date: "Sat, 21 Nov 2026 10:02:44 GMT" }, { error: "NIP-98: no" })
    expect(failureOf(skewed, at).skewSeconds).toBe(164)
  })

  it("shows of a refusal a short text without addresses and secrets", () => {
    const refused = answer(
      400,
      {},
      {
        error: `invalid: see http://10.0.0.7:8080/internal?token=ghp_${"a".repeat(36)} ${"x".repeat(500)}`
      }
    )
    const found = submissionOf(refused, event, at)
    expect(found).toMatchObject({ _tag: "Refused" })
    const { detail = "" } = found._tag === "Refused" ? found : {}
    expect(detail.length).toBeLessThanOrEqual(200)
    expect(detail).not.toContain("10.0.0.7")
    expect(detail).not.toContain("ghp_")
  })
})

describe("An event of a channel", () => {
  const { channel, events } = fixture("channel-events")
  for (const { kind, name, reading, tags } of events) {
    it(`is read as ${reading._tag} when it is ${name}`, () => {
      const event = {
        id: "f".repeat(64),
        pubkey: "e".repeat(64),
        created_at: 1,
        kind,
        tags,
        content: "",
        sig: ""
      }
      expect(meaningOf(event, channel)).toEqual(reading)
    })
  }
})

describe("The authentication of a request", () => {
  it.effect("signs address, method and the very bytes, once", () =>
    Effect.gen(function* () {
      const { body, content, kind, method, tags, url } = fixture("authentication").request
      const identity = yield* identityOf(Redacted.make(identities.bridge.hex))
      const header = httpAuth(identity, { url, method, body }, 1_700_000_000)
      const event = JSON.parse(Buffer.from(header.replace(/^Nostr /, ""), "base64").toString())
      expect(event).toMatchObject({ kind, content, pubkey: identities.bridge.publicKey })
      const payload = createHash("sha256").update(body).digest("hex")
      expect(event.tags.slice(0, 3)).toEqual([tags[0], tags[1], ["payload", payload]])
      expect(event.tags[3]).toEqual(["nonce", expect.stringMatching(/^[0-9a-f]{32}$/)])
      expect(httpAuth(identity, { url, method, body }, 1_700_000_000)).not.toBe(header)
    })
  )
})

describe("An owner attestation", () => {
  const { agent, digest, refusedConditions, tag } = fixture("attestation")
  const attest = (value: unknown, key = agent) =>
    Effect.either(attestationOf(Redacted.make(JSON.stringify(value)), key))
  const reasonOf = (value: unknown, key = agent) =>
    Effect.map(attest(value, key), (found) => (found._tag === "Left" ? found.left.reason : "holds"))

  it.effect("verifies as the document's vector does", () =>
    Effect.gen(function* () {
      expect(Buffer.from(attestationDigest(agent, tag[2])).toString("hex")).toBe(digest)
      const found = yield* attestationOf(Redacted.make(JSON.stringify(tag)), agent)
      expect(found.owner).toBe(tag[1])
      expect(found.holdsAt(1_713_956_999)).toBe(true)
      expect(found.holdsAt(1_713_957_000)).toBe(false)
    })
  )

  it.effect("is refused for another key, with another signature, and in other forms", () =>
    Effect.gen(function* () {
      const [name, owner, conditions, sig] = tag
      expect(yield* reasonOf(tag, identities.bridge.publicKey)).toBe("other-agent-or-signature")
      expect(yield* reasonOf([name, owner, "", sig])).toBe("other-agent-or-signature")
      expect(yield* reasonOf(tag, owner)).toBe("attests-itself")
      for (const other of [
        [name, owner, conditions],
        [...tag, "more"],
        [name, owner.toUpperCase(), conditions, sig],
        {},
        "x"
      ])
        expect(yield* reasonOf(other)).toBe("malformed")
      for (const refused of refusedConditions)
        expect(yield* reasonOf([name, owner, refused, sig])).toBe("malformed-conditions")
    })
  )
})
