/**
 * A conversation between a relay and Muster, from both ends: `npm run relay:demo`. It starts everything that it needs,
 * prints what can be seen after each step, ends by itself and leaves nothing behind. What is not as it should be ends
 * it with exit code 1.
 */
import { setTimeout as pause } from "node:timers/promises"
import { Effect } from "effect"
import type { Delivery } from "../../src/conversations/deliveries/Delivery.ts"
import { deletion9005, edit } from "../../test/support/relay/Drafts.ts"
import { identities } from "../../test/support/relay/Keys.ts"
import { startRelay } from "../../test/support/relay/Relay.ts"
import { client } from "./conversation.ts"
import { Muster } from "./muster.ts"

const channel = "7b1f0f6e-6f0a-4d55-9d0a-000000000001"
const { alice, bridge } = identities
const from = performance.now()
let steps = 0

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const step = (what: string): void => print(`\n${String(++steps).padStart(2)}  ${what}`)
const see = (where: string, what: string): void => print(`    ${where.padEnd(11)} ${what}`)

/** Asks again until the answer fits. */
const until = async <A>(ask: () => Promise<A>, fits: (answer: A) => boolean): Promise<A> => {
  const end = performance.now() + 12_000
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    if (performance.now() > end)
      throw new Error(`It did not come to that: ${JSON.stringify(answer, null, 1)}`)
    await pause(20)
  }
}

const must = <A>(value: A | undefined, what: string): A => {
  if (value === undefined) throw new Error(`Missing: ${what}`)
  return value
}

const relay = await startRelay()
const muster = new Muster()

/** Shows what became of an event, once a delivery says this. */
const delivered = async (
  eventId: string,
  status: Delivery["status"],
  reason: string | null
): Promise<void> => {
  const found = await until(
    async () => (await muster.deliveries()).filter((delivery) => delivery.eventId === eventId),
    (all) => all.some((delivery) => delivery.status === status && delivery.reasonCode === reason)
  )
  const one = found.find((delivery) => delivery.status === status && delivery.reasonCode === reason)
  see("delivery", [one?.direction, status, reason].filter((part) => part !== null).join(", "))
}

const connected = () =>
  until(
    () => muster.health(),
    ({ canReceiveReplies, canSend }) => canReceiveReplies && canSend
  )

/** The squad chat, once it has so many messages. */
const squadOf = (count: number) =>
  until(
    () => muster.squad(),
    ({ length }) => length === count
  )

const converse = async (): Promise<void> => {
  print(
    "The relay is a façade that the tests use, over a real engine: @nostr-relay/core with SQLite, which verifies"
  )
  print(
    "and stores. Muster is the built server, a process of its own; alice is a client made with nostr-tools."
  )

  step("Muster starts, is given an adapter and a channel, and connects")
  await muster.start()
  await muster.connect(relay.url, channel)
  const { message, runtime } = await connected()
  see("health", `${message}; ${runtime?.transport.state}, subscription ${runtime?.subscription.state}`)

  const her = await client(relay.wsUrl, channel, alice, () => {})
  step('alice says at the relay: "Can somebody look at the build?"')
  const root = await her.say("Can somebody look at the build?")
  const [heard] = await squadOf(1)
  const asked = must(heard, "what alice said")
  see("squad chat", `${asked.agent}: ${asked.message}`)
  await delivered(root.id, "success", "root_posted")

  step('Muster replies: "On it."')
  await muster.say("On it.", asked.id)
  const answer = await her.heard(({ pubkey }) => pubkey === bridge.publicKey)
  const isReply = answer.tags.some(([name, id, , mark]) => name === "e" && id === root.id && mark === "reply")
  see("alice hears", `"${answer.content}", signed by the bridge, ${isReply ? "a reply to hers" : "no reply"}`)
  await delivered(answer.id, "success", null)
  await delivered(answer.id, "ignored", "echo")

  step('alice replies to the reply: "Thank you!"')
  const thanks = await her.reply(answer, "Thank you!")
  const third = must((await squadOf(3))[2], "the reply")
  see("squad chat", `${third.agent}: ${third.message}`)
  await delivered(thanks.id, "success", "reply_posted")

  step('alice edits that to: "Thanks, all!"')
  const change = await her.publish(edit({ by: alice, target: thanks, content: "Thanks, all!" }))
  await delivered(change.id, "success", "edit_recorded")
  const edited = must((await squadOf(3))[2], "the reply")
  see(
    "squad chat",
    `${edited.agent}: ${edited.message} (edits noted: ${edited.external?.edits?.length ?? 0})`
  )

  step("alice deletes it")
  const deletion = await her.publish(deletion9005({ by: alice, target: thanks }))
  await delivered(deletion.id, "success", "deletion_recorded")
  const deleted = must((await squadOf(3))[2], "the reply")
  const deletions = deleted.external?.deletions?.length ?? 0
  see("squad chat", `${deleted.agent}: ${deleted.message} (deletions noted: ${deletions})`)

  step("The relay sends the first message a second time")
  relay.inject(root)
  await delivered(root.id, "replayed", "known_event")
  see("squad chat", `${(await squadOf(3)).length} messages, as before`)

  step('Muster sends "The build is green."; the relay does not answer, and Muster is killed with kill -9')
  relay.faultNext("/events", { type: "hang" })
  const lost = muster.say("The build is green.").catch(() => undefined)
  await Effect.runPromise(
    relay.waitFor(({ http }) => http.some(({ path, status }) => path === "/events" && status === undefined))
  )
  await muster.end("SIGKILL")
  await lost
  see("muster", "ended in the middle of the send")

  step("Muster starts again on the same data")
  await muster.start()
  await connected()
  const open = (await muster.deliveries()).find(({ status }) => status === "delivery_unknown")
  const lostId = must(open?.eventId ?? undefined, "the message that was on its way")
  await delivered(lostId, "delivery_unknown", "socket_lost")

  step("Poll: the relay is asked for the event by its id; only what it does not have is handed over again")
  const { checked, resubmitted, success } = await muster.poll()
  see("poll", `looked at ${checked}, handed over again ${resubmitted}, arrived ${success}`)
  await delivered(lostId, "success", null)
  const said = await her.heard(({ content }) => content === "The build is green.")
  const times = relay.eventsIn(channel).filter(({ content }) => content === said.content).length
  see(
    "relay",
    `has "${said.content}" ${times === 1 ? "once" : `${times} times`}, ${said.id === lostId ? "the very event that was signed before the kill" : "as another event"}`
  )

  her.close()
  const failures = times === 1 && said.id === lostId && isReply ? "" : ", but not all is as it should be"
  print(`\nThat was it${failures}: ${Math.round((performance.now() - from) / 1_000)} s.`)
  if (failures !== "") process.exitCode = 1
}

const late = setTimeout(() => {
  process.stderr.write("The demo took longer than 30 seconds\n")
  void muster.remove().then(() => process.exit(1))
}, 30_000)
try {
  await converse()
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
} finally {
  clearTimeout(late)
  await muster.end("SIGTERM")
  await muster.remove()
  await relay.close()
}
