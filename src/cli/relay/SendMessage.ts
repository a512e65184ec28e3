import { Duration, Effect, Option } from "effect"
import { SquadApi } from "../../board/squad/Api.ts"
import type { SquadMessage } from "../../board/squad/SquadMessage.ts"
import { Client } from "../../client/Client.ts"
import { ExitCode, type Failure, Misused, Refused, tell } from "../../client/Failure.ts"
import { CommunicationApi } from "../../conversations/communication/Api.ts"
import type { Delivery } from "../../conversations/deliveries/Delivery.ts"
import { AuthApi } from "../../identity/auth/Api.ts"
import { oneLine } from "../../kernel/Foreign.ts"
import type { Permission } from "../../kernel/Permission.ts"
import { Output } from "../Output.ts"

/** A relay may be slow: the server gives it up to half a minute. */
export const patience = Duration.seconds(45)

/** What to send: a new text, or an earlier message by its id. */
export interface Saying {
  readonly adapterId: string
  readonly text: Option.Option<string>
  readonly messageId: Option.Option<string>
  readonly replyTo: Option.Option<string>
  readonly as: Option.Option<string>
}

const needed: Permission = "settings:write"

/** The sender's name. It is asked for first, so that nothing is posted that may not be sent. */
const sender: Effect.Effect<string, Failure, Client> = Effect.gen(function* () {
  const { call } = yield* Client
  const { authenticated, permissions, role, tokenName } = yield* call(AuthApi, ({ auth }) => auth.status())
  if (authenticated && !permissions.includes(needed)) {
    const reason = `Sending to a relay needs the permission ${needed}`
    const body = { error: reason, code: "PERMISSION_DENIED", details: { required: needed } }
    return yield* new Refused({ status: 403, code: body.code, reason, details: body.details, body })
  }
  return tokenName ?? role ?? "muster"
})

const said = (messageId: string) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const thread = yield* call(SquadApi, ({ squad }) => squad.thread({ path: { messageId } }))
    const found = thread.find(({ id }) => id === messageId)
    return found ?? (yield* new Misused({ reason: `Message ${messageId} is gone`, remedy: "Send a new one" }))
  })

const posted = ({ as, messageId, replyTo, text }: Saying): Effect.Effect<SquadMessage, Failure, Client> =>
  Effect.gen(function* () {
    const { call } = yield* Client
    if (Option.isSome(text) === Option.isSome(messageId)) {
      return yield* new Misused({
        reason: "Sending needs either a text or a message",
        remedy: "Give the text, or name a message of the squad chat with --message ID"
      })
    }
    const by = yield* sender
    if (Option.isSome(messageId)) return yield* said(messageId.value)
    return yield* call(SquadApi, ({ squad }) =>
      squad.post({
        payload: {
          agent: Option.getOrElse(as, () => by),
          message: Option.getOrElse(text, () => ""),
          ...(Option.isNone(replyTo) ? {} : { replyToId: replyTo.value })
        }
      })
    )
  })

/** Posts a text in the squad chat and sends it to the relay; an earlier message is only sent. */
export const send = (saying: Saying) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const message = yield* posted(saying)
    const parent = Option.getOrUndefined(saying.replyTo) ?? message.replyToId
    const sent = yield* call(
      CommunicationApi,
      ({ communication }) =>
        communication.send({
          path: { adapterId: saying.adapterId },
          payload: {
            target: { kind: "squad", squadMessageId: message.id },
            message: message.message,
            actor: Option.getOrElse(saying.as, () => message.agent),
            ...(parent === undefined ? {} : { replyToSquadMessageId: parent })
          }
        }),
      patience
    ).pipe(Effect.tapError((failure) => leftBehind(message, failure)))
    return { message, sent }
  })

/** Says that the message is in the squad chat although sending it failed, so that nobody posts it twice. */
const leftBehind = ({ id }: SquadMessage, failure: Failure) =>
  Effect.flatMap(Output, ({ warn }) =>
    warn(
      oneLine(
        `muster: ${id} is in the squad chat, but was not sent; muster relay send --message ${id} tries again. ${tell(failure).happened}`
      )
    )
  )

/** The exit code for a delivery: it arrived, may still arrive, or did not. */
export const exitCodeOf = (status: Delivery["status"]): ExitCode => {
  switch (status) {
    case "success":
      return ExitCode.ok
    case "queued":
    case "delivery_unknown":
      return ExitCode.unavailable
    default:
      return ExitCode.conflict
  }
}
