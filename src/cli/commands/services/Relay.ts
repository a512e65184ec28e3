import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { ActorName, MessageIdParam } from "../../../board/squad/SquadMessage.ts"
import { Client } from "../../../client/Client.ts"
import { ExitCode } from "../../../client/Failure.ts"
import { AdapterIdParam, type RelayAdapter } from "../../../conversations/adapters/Adapter.ts"
import { RelayChannelsApi } from "../../../conversations/channels/Api.ts"
import { CommunicationApi } from "../../../conversations/communication/Api.ts"
import { DeliveryStatus } from "../../../conversations/deliveries/Delivery.ts"
import { ChannelIdParam } from "../../../conversations/mappings/Mapping.ts"
import { ask } from "../../Answer.ts"
import { argumentOf, json, limitUpTo, optionOf } from "../../Parts.ts"
import { chosen, relays } from "../../relay/ChosenRelay.ts"
import { deliveriesText, reconciledText, sentText, standingsText } from "../../relay/RelayText.ts"
import { exitCodeOf, patience, send as say } from "../../relay/SendMessage.ts"

/*
 * The commands about the bridge to a community relay: status, map, send, poll, deliveries.
 */

const adapter = Options.text("adapter").pipe(
  optionOf("--adapter", AdapterIdParam),
  Options.withPseudoName("ID"),
  Options.withDescription("Which relay; not needed when there is only one"),
  Options.optional
)

const mappingsOf = (adapterId: string) =>
  Effect.flatMap(Client, ({ call }) =>
    call(RelayChannelsApi, ({ relayChannels }) => relayChannels.list({ path: { adapterId } }))
  )

const standingOf = (one: RelayAdapter) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const path = { adapterId: one.id }
    const health = yield* call(
      CommunicationApi,
      ({ communication }) => communication.health({ path }),
      patience
    )
    const mappings = yield* mappingsOf(one.id)
    return { adapter: one, health, mapping: mappings.find(({ enabled }) => enabled) ?? null }
  })

const named = Args.text({ name: "ADAPTER" }).pipe(
  argumentOf("ADAPTER", AdapterIdParam),
  Args.withDescription("The id of a relay; all of them without it"),
  Args.optional
)

const status = Command.make("status", { named, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const all = yield* relays
      const wanted = Option.match(given.named, {
        onNone: () => all,
        onSome: (id) => all.filter((one) => one.id === id)
      })
      const standings = yield* Effect.forEach(wanted, standingOf)
      if (Option.isSome(given.named) && wanted.length === 0) {
        const { call } = yield* Client
        const path = { adapterId: given.named.value }
        yield* call(CommunicationApi, ({ communication }) => communication.health({ path }))
      }
      // A relay that is switched off on purpose is fine, unless it was named.
      const looked = standings.filter((one) => Option.isSome(given.named) || one.adapter.enabled)
      return {
        json: standings,
        text: (paint) => standingsText(standings, paint),
        exitCode: looked.every(({ health }) => health.status === "healthy")
          ? ExitCode.ok
          : ExitCode.unexpected
      }
    })
  )
).pipe(Command.withDescription("Show the state of the relays, the reasons, and what to do."))

const mapOptions = {
  channel: Args.text({ name: "CHANNEL" }).pipe(
    argumentOf("CHANNEL", ChannelIdParam),
    Args.withDescription("The UUID of a channel of the relay")
  ),
  adapter,
  actor: Options.text("actor").pipe(
    optionOf("--actor", ActorName),
    Options.withPseudoName("NAME"),
    Options.withDescription(
      "The name under which its messages are recorded; without it bridge, or the name from before"
    ),
    Options.optional
  ),
  disable: Options.boolean("disable").pipe(
    Options.withDescription("Switch the mapping off; its read position and all messages are kept")
  ),
  remove: Options.boolean("remove").pipe(
    Options.withDescription("Forget a mapping that is switched off, to make room; all messages are kept")
  ),
  json
}

const map = Command.make("map", mapOptions, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const adapterId = yield* chosen(given.adapter)
      const path = { adapterId, channelId: given.channel }
      if (given.remove) {
        yield* call(RelayChannelsApi, ({ relayChannels }) => relayChannels.remove({ path }))
        return {
          json: { adapterId, channelId: given.channel, removed: true },
          text: (paint) => `${paint.green("Removed")} ${given.channel}`
        }
      }
      if (given.disable) {
        const mapping = yield* call(RelayChannelsApi, ({ relayChannels }) => relayChannels.disable({ path }))
        return { json: mapping, text: (paint) => `${paint.green("Disabled")} ${mapping.channelId}` }
      }
      const before = (yield* mappingsOf(adapterId)).find(({ channelId }) => channelId === given.channel)
      const mapping = yield* call(RelayChannelsApi, ({ relayChannels }) =>
        relayChannels.put({
          path,
          payload: {
            target: { kind: "squad" },
            enabled: true,
            actor: Option.getOrElse(given.actor, () => before?.actor ?? "bridge")
          }
        })
      )
      return {
        json: mapping,
        text: (paint) =>
          `${paint.green("Mapped")} ${mapping.channelId} to the squad chat; muster relay status ${adapterId} shows whether it is heard`
      }
    })
  )
).pipe(Command.withDescription("Connect a channel of a relay to the squad chat, one at a time."))

const messageId = (name: string, description: string) =>
  Options.text(name).pipe(
    optionOf(`--${name}`, MessageIdParam),
    Options.withPseudoName("ID"),
    Options.withDescription(description),
    Options.optional
  )

const sendOptions = {
  text: Args.text({ name: "TEXT" }).pipe(
    Args.withDescription("What to say; several words need no quotes"),
    Args.repeated,
    Args.map((words) => (words.length === 0 ? Option.none() : Option.some(words.join(" "))))
  ),
  message: messageId("message", "Send this message of the squad chat instead of saying something new"),
  replyTo: messageId("reply-to", "The message of the squad chat to reply to"),
  as: Options.text("as").pipe(
    optionOf("--as", ActorName),
    Options.withPseudoName("ACTOR"),
    Options.withDescription("Who says it; without it, the name of the key"),
    Options.optional
  ),
  adapter,
  json
}

const send = Command.make("send", sendOptions, ({ as, message, replyTo, text, ...given }) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const adapterId = yield* chosen(given.adapter)
      const told = yield* say({ adapterId, text, messageId: message, replyTo, as })
      return {
        json: told,
        text: sentText(told.message.id, told.sent),
        exitCode: exitCodeOf(told.sent.status)
      }
    })
  )
).pipe(Command.withDescription("Say something in the squad chat and send it to the relay."))

const poll = Command.make("poll", { adapter, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const path = { adapterId: yield* chosen(given.adapter) }
      const found = yield* call(
        CommunicationApi,
        ({ communication }) => communication.poll({ path }),
        patience
      )
      const arrived = found.deliveries.every(({ status }) => status === "success")
      const failed = found.deliveries.some(({ status }) => status === "failed")
      return {
        json: found,
        text: (paint) => reconciledText(found, paint),
        exitCode: arrived ? ExitCode.ok : failed ? ExitCode.conflict : ExitCode.unavailable
      }
    })
  )
).pipe(Command.withDescription("Settle messages that may or may not have arrived."))

const deliveryOptions = {
  status: Options.text("status").pipe(
    Options.withPseudoName("STATUS"),
    optionOf("--status", DeliveryStatus),
    Options.withDescription(`Only those in this state: ${DeliveryStatus.literals.join(", ")}`),
    Options.optional
  ),
  limit: limitUpTo(500, "At most this many, 1 to 500; 20 without it").pipe(Options.withDefault(20)),
  adapter,
  json
}

const deliveries = Command.make("deliveries", deliveryOptions, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(CommunicationApi, ({ communication }) =>
        communication.deliveries({
          urlParams: {
            limit: given.limit,
            status: Option.getOrUndefined(given.status),
            adapterId: Option.getOrUndefined(given.adapter)
          }
        })
      )
      return { json: found, text: (paint) => deliveriesText(found, paint) }
    })
  )
).pipe(Command.withDescription("Show what went out and came in, newest first."))

export const relay = Command.make("relay").pipe(
  Command.withSubcommands([status, map, send, poll, deliveries])
)
