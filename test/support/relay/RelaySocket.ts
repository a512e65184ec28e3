import { type Event, type Filter, type IncomingMessage as Message, MessageType } from "@nostr-relay/common"
import { WebSocket } from "ws"
import { overBudget } from "./Budget.ts"
import { type Context, take, validator } from "./Context.ts"
import { checkFilters, maySee, search } from "./Filters.ts"
import { seesChannel } from "./Settings.ts"
import { SocketAuth } from "./SocketAuth.ts"
import { closeWhen, keepAlive, unauthenticated } from "./SocketLife.ts"
import { hears, type Subscription } from "./Subscription.ts"

const maxSubscriptions = 1_024

/** What tests turn to make the sockets misbehave. */
export interface SocketMoods {
  /** Live events are swallowed, and nothing is said about it. */
  deaf: boolean
  /** No challenge is sent. */
  silentAuth: boolean
  /** Every answer to a challenge is refused with this text. */
  refuseAuth: string | undefined
}

/**
 * One socket of the relay. The frames are handled here and not by the engine, for the engine starts a subscription
 * after EOSE, and what comes in between is lost to it; here a subscription hears from the moment on at which it's asked.
 */
export class RelaySocket {
  readonly subscriptions = new Map<string, Subscription>()
  readonly number: number
  private readonly closedIds = new Set<string>()
  private readonly socket: WebSocket
  private readonly auth: SocketAuth
  private readonly context: Context
  private readonly moods: SocketMoods

  constructor(socket: WebSocket, number: number, host: string, context: Context, moods: SocketMoods) {
    this.socket = socket
    this.number = number
    this.auth = new SocketAuth(host, context)
    this.context = context
    this.moods = moods
    let last = Promise.resolve()
    socket.on("message", (data: Buffer, isBinary) => {
      // One frame after the other: what a client sends in order is done in order.
      last = last.then(() => this.receive(data, isBinary))
    })
    socket.on("error", () => {})
    if (!moods.silentAuth) this.send(["AUTH", this.auth.challenge])
    const { authTimeoutMs, pingMs } = context.settings
    closeWhen(socket, authTimeoutMs, () => this.auth.publicKey === undefined)
    keepAlive(socket, pingMs)
  }

  send(frame: ReadonlyArray<unknown>): void {
    this.sendText(JSON.stringify(frame))
  }

  sendText(text: string): void {
    if (this.socket.readyState !== WebSocket.OPEN) return
    this.socket.send(text)
    const { number: connection } = this
    this.context.journal.note(({ frames }) => frames.push({ connection, direction: "out", text }))
  }

  /** Passes an event on to the subscriptions that hear of it. */
  hear(event: Event): void {
    const { publicKey } = this.auth
    if (publicKey === undefined || this.moods.deaf || !maySee(event, publicKey, this.context)) return
    const channel = this.context.engine.repository.channelOf(event)
    for (const subscription of this.subscriptions.values()) {
      if (this.context.settings.losesReusedIds && this.closedIds.has(subscription.id)) continue
      if (hears(subscription, event, channel)) this.send(["EVENT", subscription.id, event])
    }
  }

  /** Ends subscriptions from the relay's side. */
  closeSubscriptions(text: string, which: (one: Subscription) => boolean = () => true): void {
    for (const subscription of [...this.subscriptions.values()].filter(which)) {
      this.subscriptions.delete(subscription.id)
      this.send(["CLOSED", subscription.id, text])
    }
  }

  /** Ends the subscriptions to channels that the key may see no more. */
  reconsider(): void {
    this.closeSubscriptions("restricted: not a channel member", ({ filters }) => !this.seesAll(filters))
  }

  terminate(): void {
    this.socket.terminate()
  }

  close(code: number, reason = ""): void {
    this.socket.close(code, reason)
  }

  private seesAll(filters: ReadonlyArray<Filter>): boolean {
    return filters
      .flatMap((filter) => filter["#h"] ?? [])
      .every((channel) => seesChannel(this.context.settings, this.auth.publicKey ?? "", channel))
  }

  private async receive(data: Buffer, isBinary: boolean): Promise<void> {
    if (data.length > this.context.settings.maxFrame) {
      this.send(["NOTICE", "error: message too large"])
      return this.close(1009, "message too large")
    }
    const text = data.toString()
    const { number: connection } = this
    this.context.journal.note(({ frames }) => frames.push({ connection, direction: "in", text }))
    if (isBinary) return this.send(["NOTICE", "invalid: binary frames are not supported"])
    try {
      const message = await validator.validateIncomingMessage(text)
      await this.handle(message)
    } catch (cause) {
      this.send(["NOTICE", `invalid: ${cause instanceof Error ? cause.message : "bad message"}`])
    }
  }

  private handle(message: Message): Promise<void> | void {
    switch (message[0]) {
      case MessageType.AUTH:
        return this.authenticate(message[1])
      case MessageType.CLOSE:
        this.subscriptions.delete(message[1])
        this.closedIds.add(message[1])
        return
      case MessageType.EVENT:
        return this.publish(message[1])
      case MessageType.REQ: {
        const [, id, ...filters] = message
        return this.subscribe({ id, filters })
      }
    }
  }

  private authenticate(event: Event): void {
    const fault = this.auth.answer(event, this.moods.refuseAuth)
    const accepted = fault === undefined
    this.send(["OK", event.id, accepted, fault ?? ""])
    const { number: connection } = this
    this.context.journal.note(({ auths }) => auths.push({ connection, event, accepted }))
    if (fault?.startsWith("blocked:") === true) this.close(1008, fault)
  }

  private async publish(event: Event): Promise<void> {
    const { budget } = this.context
    if (this.auth.publicKey === undefined) {
      this.send(["NOTICE", unauthenticated])
      return this.send(["OK", event.id, false, unauthenticated])
    }
    const wait = budget.spend("framesPer5s", this.auth.publicKey)
    if (wait !== undefined) return this.send(["NOTICE", overBudget(wait)])
    if (event.pubkey !== this.auth.publicKey) {
      return this.send([
        "OK",
        event.id,
        false,
        "restricted: event author does not match the authenticated key"
      ])
    }
    const { accepted, message } = await take(this.context, event)
    this.send(["OK", event.id, accepted, message])
  }

  private async subscribe(subscription: Subscription): Promise<void> {
    const { filters, id } = subscription
    const { number: connection } = this
    const { publicKey } = this.auth
    this.context.journal.note(({ requests }) => requests.push({ connection, id, filters }))
    const refused = this.refusalOf(subscription)
    if (refused !== undefined || publicKey === undefined) {
      if (publicKey === undefined) this.send(["NOTICE", unauthenticated])
      return this.send(["CLOSED", id, refused ?? unauthenticated])
    }
    this.subscriptions.set(id, subscription)
    for (const event of await search(filters, publicKey, this.context)) this.send(["EVENT", id, event])
    this.send(["EOSE", id])
  }

  private refusalOf({ filters, id }: Subscription): string | undefined {
    const { publicKey } = this.auth
    if (publicKey === undefined) return unauthenticated
    const wait = this.context.budget.spend("framesPer5s", publicKey)
    if (wait !== undefined) return overBudget(wait)
    if (this.subscriptions.size >= maxSubscriptions && !this.subscriptions.has(id)) {
      return "error: too many subscriptions"
    }
    try {
      checkFilters(filters, publicKey)
    } catch (cause) {
      return cause instanceof Error ? cause.message : "error: bad filters"
    }
    return this.seesAll(filters) ? undefined : "restricted: not a channel member"
  }
}
