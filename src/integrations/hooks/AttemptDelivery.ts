import { createHmac } from "node:crypto"
import { Data, Effect, Redacted } from "effect"
import { findTask, shownTask } from "../../board/tasks/Units.ts"
import { findApproval } from "../../governance/approvals/Units.ts"
import { isBearerToken } from "../../kernel/BearerToken.ts"
import type { OutboundFailure, OutboundService, Request } from "../../kernel/outbound/Outbound.ts"
import { redactJson } from "../../kernel/Redaction.ts"
import type { SecretReference } from "../../kernel/SecretReference.ts"
import type { SecretsService } from "../../kernel/Secrets.ts"
import { isUrl } from "../../kernel/UrlSyntax.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { isPrivate } from "./definitions/ActionRules.ts"
import type { Hook } from "./definitions/Hook.ts"
import { type Outcome, outcomeOf } from "./Execution.ts"
import type { Due } from "./ExecutionRepo.ts"
import type { Facts } from "./HookFacts.ts"

/** How long a target may take for its whole answer, and how many bytes of it are read. */
const timeoutMs = 8_000
const responseLimit = 65_536

/** The circuit that an operator blocks or allows all deliveries with. */
export const deliveryCircuit = "webhook:delivery"

/** The circuit of a target's host: one that is down does not stop deliveries to the others. */
export const targetCircuit = (url: string): string => `webhook:${new URL(url).host.slice(0, 100)}`

/** The services that a delivery needs. */
export interface Means {
  readonly storage: StorageService
  readonly outbound: OutboundService
  readonly secrets: SecretsService
}

/** A task that is there is shown as everywhere else. */
const taskOf = (taskId: string) =>
  Effect.flatMap(findTask(taskId), (found) =>
    found === undefined ? Effect.succeed(undefined) : shownTask(found)
  )

/** What a delivery is about, as it is now: an archived task too, a deleted one as null. */
const subjectsOf = ({ approvalId, taskId }: Facts) =>
  Effect.all({
    task: taskId === null ? Effect.succeed(undefined) : taskOf(taskId),
    approval: approvalId === undefined ? Effect.succeed(undefined) : findApproval(approvalId)
  })

/** The body of the request (decision Q40). */
const bodyOf = (hook: Hook, { event, facts, id }: Due, { storage }: Means): Effect.Effect<string> =>
  Effect.map(storage.read(subjectsOf(facts)), ({ approval, task }) =>
    JSON.stringify({
      event,
      hookId: hook.id,
      deliveryId: id,
      taskId: facts.taskId,
      task: task === undefined ? null : redactJson(task),
      oldStatus: facts.oldStatus,
      newStatus: facts.newStatus,
      timestamp: facts.timestamp,
      ...(facts.messageId === undefined ? {} : { messageId: facts.messageId }),
      ...(facts.approvalId === undefined ? {} : { approval: approval ?? null }),
      ...(facts.payload === undefined ? {} : { payload: facts.payload })
    })
  )

/** `sha256=` and the HMAC of the timestamp, a dot and the body. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`

/** A delivery can't be sent; its outcome is `Again` when a change of the environment may help. */
class NotSendable extends Data.TaggedError("NotSendable")<{ readonly outcome: Outcome }> {}

const again = (error: string) => new NotSendable({ outcome: { _tag: "Again", error } })
const final = (error: string) => new NotSendable({ outcome: { _tag: "Final", error } })

const secretOf = (reference: SecretReference, url: string | undefined, { secrets }: Means) =>
  Effect.map(
    Effect.mapError(Effect.flatten(secrets.find(reference, { for: "request", url })), () =>
      again("secret-not-set")
    ),
    Redacted.value
  )

/**
 * Where the hook's requests go: its URL, or the one that its variable holds now, which must fit the hosts that the
 * variable is bound to.
 */
const urlOf = ({ action: { url, urlRef } }: Hook, means: Means) =>
  Effect.gen(function* () {
    if (urlRef === undefined) return url ?? ""
    const held = yield* secretOf(urlRef, undefined, means)
    if (!isUrl(held)) return yield* final("refused-not-a-url")
    if (!isPrivate(new URL(held))) return yield* final("refused-not-encrypted")
    return yield* secretOf(urlRef, held, means)
  })

const signed = (
  { action: { secretRef } }: Hook,
  url: string,
  timestamp: string,
  body: string,
  means: Means
) =>
  secretRef === undefined
    ? Effect.succeed({})
    : Effect.map(secretOf(secretRef, url, means), (secret) => ({
        "x-muster-signature": signatureOf(secret, timestamp, body)
      }))

const authorized = ({ action: { credentialRef } }: Hook, url: string, means: Means) =>
  credentialRef === undefined
    ? Effect.succeed({})
    : Effect.flatMap(secretOf(credentialRef, url, means), (credential) =>
        isBearerToken(credential)
          ? Effect.succeed({ authorization: `Bearer ${credential}` })
          : again("credential-invalid")
      )

/** Makes one attempt of a delivery. It never fails: its outcome is a value, which the worker stores. */
export const attempt = (hook: Hook, due: Due, means: Means): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const url = yield* urlOf(hook, means)
    const body = yield* bodyOf(hook, due, means)
    const timestamp = due.facts.timestamp
    const headers = {
      "content-type": "application/json",
      "x-muster-event": due.event,
      "x-muster-delivery": due.id,
      "x-muster-timestamp": timestamp,
      ...(yield* signed(hook, url, timestamp, body, means)),
      ...(yield* authorized(hook, url, means))
    }
    const request: Request = {
      circuit: targetCircuit(url),
      method: "POST",
      url,
      headers,
      body,
      timeoutMs,
      responseLimit
    }
    const { headers: answered, status } = yield* means.outbound.send(request)
    return outcomeOf(status, answered["retry-after"])
  }).pipe(
    Effect.catchAll((failure) =>
      Effect.succeed(failure._tag === "NotSendable" ? failure.outcome : outcomeOfFailure(failure))
    )
  )

const outcomeOfFailure = (failure: OutboundFailure): Outcome => {
  switch (failure._tag) {
    case "AddressRefused":
      return { _tag: "Final", error: `refused-${failure.reason}` }
    case "CircuitOpen":
      return {
        _tag: "PutOff",
        error: failure.blocked ? "blocked" : "circuit-open",
        retryAfterMs: failure.retryAfterMs
      }
    case "OutboundTimeout":
      return { _tag: "Again", error: "timeout" }
    case "ResponseTooLarge":
      return { _tag: "Final", error: "response-too-large" }
    case "Unreachable":
      return { _tag: "Again", error: failure.reason }
  }
}
