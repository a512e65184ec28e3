/**
 * A second Nostr client, to see a conversation from the other end: it connects to a relay, authenticates, says
 * something in a channel, prints what it hears, and answers the first who replies.
 *
 *   vite-node scratchpad/relay/client.ts                      two clients talk over a relay that starts with them
 *   vite-node scratchpad/relay/client.ts ws://host channel    one client talks to whoever is in that channel
 */
import { identities } from "../../test/support/relay/Keys.ts"
import { startRelay } from "../../test/support/relay/Relay.ts"
import { client } from "./conversation.ts"

const { alice, bob } = identities
const [url, channel = "7b1f0f6e-6f0a-4d55-9d0a-000000000001"] = process.argv.slice(2)

/** Says something, waits for a reply and answers it. */
const talk = async (to: string): Promise<void> => {
  const her = await client(to, channel, alice)
  const root = await her.say("Can somebody look at the build?")
  const reply = await her.heard(
    ({ pubkey, tags }) =>
      pubkey !== alice.publicKey && tags.some(([name, id]) => name === "e" && id === root.id)
  )
  await her.reply(reply, "Thank you!")
  her.close()
}

/** Answers the first message that somebody else says, as the other side of a conversation would. */
const listen = async (to: string): Promise<void> => {
  const him = await client(to, channel, bob)
  const root = await him.heard(({ kind, pubkey }) => kind === 9 && pubkey !== bob.publicKey)
  await him.reply(root, "On it.")
  await him.heard(({ content }) => content === "Thank you!")
  him.close()
}

if (url !== undefined) {
  await talk(url)
} else {
  const relay = await startRelay()
  await Promise.all([listen(relay.wsUrl), talk(relay.wsUrl)])
  await relay.close()
}
