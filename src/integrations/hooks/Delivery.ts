import { createHmac } from "node:crypto"
import { Effect, Redacted } from "effect"
import * as TaskRepo from "../../board/tasks/TaskRepo.ts"
import type { Outbound, OutboundFailure, Request } from "../../kernel/outbound/Outbound.ts"
import { redactJson } from "../../kernel/Redaction.ts"
import type { Secrets } from "../../kernel/Secrets.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { type Outcome, outcomeOf } from "./Execution.ts"
import type { Due } from "./ExecutionRepo.ts"
import type { Hook } from "./Hook.ts"

/** How long a target may take for its whole answer, and how much of it is read. */
const timeoutMs = 8_000
const responseLimit = 65_536

/** The circuit that an operator blocks or allows all deliveries with. */
export const deliveryCircuit = "webhook:delivery"

/** The circuit of a target: one that is down does not speak against the others. */
export const targetCircuit = (url: string): string => `webhook:${new URL(url).host.slice(0, 100)}`

/** What a delivery needs around it. */
export interface Means {
  readonly storage: StorageService
  readonly outbound: typeof Outbound.Service
  readonly secrets: typeof Secrets.Service
}

/**
 * What a target gets (decision Q40). The task is the one that there is now: an archived one is still found, a deleted
 * one is null.
 */
const bodyOf = (hook: Hook, { event, facts, id }: Due, { storage }: Means): Effect.Effect<string> =>
  Effect.map(
    facts.taskId === null ? Effect.succeed(undefined) : storage.read(TaskRepo.find(facts.taskId)),
    (found) =>
      JSON.stringify({
        event,
        hookId: hook.id,
        deliveryId: id,
        taskId: facts.taskId,
        task: found === undefined ? null : redactJson({ ...found.task, position: found.position }),
        oldStatus: facts.oldStatus,
        newStatus: facts.newStatus,
        timestamp: facts.timestamp,
        ...(facts.messageId === undefined ? {} : { messageId: facts.messageId }),
        ...(facts.payload === undefined ? {} : { payload: facts.payload })
      })
  )

/** `sha256=` and the HMAC of the timestamp, a dot and the body. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`

const signed = (hook: Hook, timestamp: string, body: string, { secrets }: Means) =>
  hook.action.secretRef === undefined
    ? Effect.succeed({})
    : Effect.map(Effect.flatten(secrets.find(hook.action.secretRef)), (secret) => ({
        "x-muster-signature": signatureOf(Redacted.value(secret), timestamp, body)
      }))

/** Tries one delivery. What comes of it is a value: the worker notes it. */
export const attempt = (hook: Hook, due: Due, means: Means): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const body = yield* bodyOf(hook, due, means)
    const timestamp = due.facts.timestamp
    const headers = {
      "content-type": "application/json",
      "x-muster-event": due.event,
      "x-muster-delivery": due.id,
      "x-muster-timestamp": timestamp,
      ...(yield* signed(hook, timestamp, body, means))
    }
    const { url } = hook.action
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
    Effect.catchTag("NoSuchElementException", () =>
      Effect.succeed<Outcome>({ _tag: "Again", error: "secret-not-set" })
    ),
    Effect.catchAll((failure) => Effect.succeed(outcomeOfFailure(failure)))
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
