import { Effect, Either } from "effect"
import type { SecretsService } from "../../kernel/Secrets.ts"
import { now } from "../../kernel/Time.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import type { Check } from "../adapters/Health.ts"
import { connectionOf, endpointOf } from "../relay-access/Connection.ts"
import { communityOf } from "../relay-access/Endpoints.ts"
import { toleratedSkew } from "../wire/Answers.ts"
import { kinds } from "../wire/NostrEvent.ts"
import { type Reason, sentences } from "../wire/Reason.ts"
import type { Connection, RelayClientService, RelayInfo } from "../wire/RelayClient.ts"
import { rebuild } from "../wire/Shape.ts"
import { baseline, baselineDigest } from "./Baseline.ts"
import { configurationOf, type Evidence } from "./Evidence.ts"

/** A check, and what it means for the whole when it fails. */
interface Verdict {
  readonly check: Check
  readonly reason?: Reason
}

const verified = (id: string, detail: string): Verdict => ({ check: { id, status: "verified", detail } })

const failed = (id: string, reason: Reason, detail = sentences[reason]): Verdict => ({
  check: { id, status: "failed", detail },
  reason
})

const open = (
  id: string,
  status: Exclude<Check["status"], "verified" | "failed">,
  detail: string
): Verdict => ({
  check: { id, status, detail }
})

/** Judges a relay by what it says about itself. */
export const judgeInfo = (
  info: RelayInfo,
  community: string,
  expected: string | null
): ReadonlyArray<Verdict> => {
  const { commit, nips, skewSeconds, version } = info
  const observed = info.community ?? community
  const missing = baseline.requiredNips.filter((nip) => nips !== undefined && !nips.includes(nip))
  return [
    baseline.relayVersions.some((known) => known === version)
      ? verified("relayIdentity", `The relay reports version ${version}, which was tested`)
      : failed(
          "relayIdentity",
          "relay_version_unsupported",
          version === undefined
            ? "The relay reports no version"
            : `The relay reports version ${version}; tested are ${baseline.relayVersions.join(", ")}`
        ),
    commit === undefined
      ? open("relayCommit", "not_reported", "The relay reports no commit")
      : commit === baseline.commit
        ? verified("relayCommit", "The relay was built from the tested commit")
        : failed("relayCommit", "relay_commit_unsupported"),
    nips === undefined
      ? open("capabilities", "not_reported", "The relay does not say what it can do")
      : missing.length === 0
        ? verified("capabilities", `NIP-${baseline.requiredNips.join(", NIP-")} are announced`)
        : failed("capabilities", "relay_capability_missing", `NIP-${missing.join(", NIP-")} are missing`),
    expected === null
      ? open("communityBinding", "not_enforced", `No community is expected; this one is ${observed}`)
      : observed === expected
        ? verified("communityBinding", `The relay serves ${observed}`)
        : failed("communityBinding", "community_mismatch", `Expected ${expected}, found ${observed}`),
    skewSeconds === undefined
      ? open("clock", "not_reported", "The relay does not tell its time")
      : Math.abs(skewSeconds) <= toleratedSkew
        ? verified("clock", `The clocks differ by ${Math.abs(skewSeconds)} s`)
        : failed(
            "clock",
            "clock_skew",
            `This machine's clock is ${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? "behind" : "ahead of"} the relay's`
          )
  ]
}

/** How many events an answer holds: anything else in it proves nothing. */
const countOf = (raws: ReadonlyArray<unknown>): number =>
  raws.filter((raw) => Either.isRight(rebuild(raw))).length

const read = ({ query }: RelayClientService, connection: Connection, channelId: string | undefined) =>
  Effect.gen(function* () {
    const channels = yield* Effect.either(
      query(connection, {
        kinds: [kinds.channel],
        ...(channelId === undefined ? {} : { "#d": [channelId] }),
        limit: 1
      })
    )
    if (Either.isLeft(channels)) return { failure: channels.left }
    const messages = yield* Effect.either(
      query(connection, {
        kinds: [kinds.message],
        ...(channelId === undefined ? {} : { "#h": [channelId] }),
        limit: 1
      })
    )
    const shown = countOf(channels.right)
    return Either.isLeft(messages)
      ? { failure: messages.left, channels: shown }
      : { channels: shown, messages: countOf(messages.right) }
  })

const judgeReading = (
  found: Effect.Effect.Success<ReturnType<typeof read>>,
  info: RelayInfo | undefined,
  channelId: string | undefined
): ReadonlyArray<Verdict> => {
  if (found.failure !== undefined) {
    const { reason } = found.failure
    const at = found.channels === undefined ? "authentication" : "messageRead"
    return [failed(at, reason)]
  }
  return [
    verified("authentication", "The relay took a signed request"),
    info?.nips?.includes(43) === true
      ? verified("membership", "The relay enforces membership, and let the bridge read")
      : open("membership", "not_enforced", "The relay does not announce that it enforces membership"),
    channelId === undefined
      ? open("channelRead", "unverified", "No channel is mapped")
      : found.channels === 0
        ? open("channelRead", "unverified", "The relay does not show the mapped channel")
        : verified("channelRead", "The relay shows the mapped channel"),
    found.messages === 0
      ? open("messageRead", "unverified", "Messages may be read; there are none yet")
      : verified("messageRead", "Messages can be read")
  ]
}

const unsupported: ReadonlySet<Reason> = new Set([
  "relay_version_unsupported",
  "relay_commit_unsupported",
  "relay_capability_missing"
])

/**
 * Checks whether a relay is the one that the bridge was tested with, and whether it lets the bridge in. It only reads:
 * the relay's word about itself, and two queries. It never fails: what goes wrong is what it finds.
 */
export const probe = (
  { client, secrets }: { readonly client: RelayClientService; readonly secrets: SecretsService },
  adapter: RelayAdapter,
  channelId: string | undefined
): Effect.Effect<Evidence> =>
  Effect.gen(function* () {
    const info = yield* Effect.either(Effect.flatMap(endpointOf(adapter), client.info))
    const connection = yield* Effect.either(connectionOf(secrets, adapter))
    const community = communityOf(adapter.relayHttpUrl)
    const said = Either.isRight(info)
      ? judgeInfo(info.right, community, adapter.expectedCommunity)
      : [failed("relayIdentity", info.left.reason)]
    const known = Either.match(connection, {
      onLeft: ({ reason }) => failed("configuredIdentity", reason),
      onRight: () => verified("configuredIdentity", "The private key belongs to the configured public key")
    })
    const firstFault = [...said, known].find(({ reason }) => reason !== undefined)
    const reading =
      firstFault === undefined && Either.isRight(connection)
        ? judgeReading(
            yield* read(client, connection.right, channelId),
            Either.isRight(info) ? info.right : undefined,
            channelId
          )
        : []
    const verdicts = [...said, known, ...reading]
    const reason =
      verdicts.find(({ reason }) => reason !== undefined && unsupported.has(reason))?.reason ??
      verdicts.find(({ reason }) => reason !== undefined)?.reason ??
      "ok"
    return {
      status: reason === "ok" ? "healthy" : unsupported.has(reason) ? "unsupported" : "unhealthy",
      reason,
      checks: verdicts.map(({ check }) => check),
      observedCommunity: Either.isRight(info) ? (info.right.community ?? community) : null,
      observedVersion: Either.isRight(info) ? (info.right.version ?? null) : null,
      skewSeconds: Either.isRight(info) ? (info.right.skewSeconds ?? null) : null,
      checkedAt: yield* now,
      configuration: configurationOf(adapter),
      baseline: baselineDigest
    }
  })
