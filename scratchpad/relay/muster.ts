import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Schema } from "effect"
import { SquadMessage } from "../../src/board/squad/SquadMessage.ts"
import { Health } from "../../src/conversations/adapters/Health.ts"
import { Delivery } from "../../src/conversations/deliveries/Delivery.ts"
import { Sent } from "../../src/conversations/deliveries/Send.ts"
import { identities } from "../../test/support/relay/Keys.ts"

const adminKey = "the-key-of-the-demo"
const bridge = "/integrations/communication"
const adapter = `${bridge}/adapters/community`

/** The built server as a process of its own, with a data directory that outlives its restarts. */
export class Muster {
  private readonly directory = mkdtempSync(join(tmpdir(), "muster-demo-"))
  private child: ChildProcess | undefined
  private baseUrl = ""

  /** Starts the process on a free port, and waits for its greeting. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["dist/main.js"], {
      env: {
        PATH: process.env["PATH"],
        SERVICE_PORT: "0",
        SERVICE_DATA_DIR: this.directory,
        SERVICE_ADMIN_KEY: adminKey,
        SERVICE_LOG_LEVEL: "none",
        RELAY_PRIVATE_KEY: identities.bridge.nsec
      },
      stdio: ["ignore", "pipe", "inherit"]
    })
    this.child = child
    this.baseUrl = await new Promise((resolve, reject) => {
      let said = ""
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString()
        const url = /Muster is up at (http:\S+)/.exec(said)?.[1]
        if (url !== undefined) resolve(url)
      })
      child.once("exit", () => reject(new Error(`Muster did not start: ${said}`)))
    })
  }

  /** Ends the process with a signal. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const over = new Promise((resolve) => child.once("exit", resolve))
    child.kill(signal)
    await over
  }

  async remove(): Promise<void> {
    await this.end("SIGKILL")
    rmSync(this.directory, { recursive: true, force: true })
  }

  /** A request of the administrator; its answer must be what the contract says. */
  private async ask<A, I>(
    schema: Schema.Schema<A, I>,
    method: string,
    path: string,
    body?: unknown
  ): Promise<A> {
    const response = await fetch(`${this.baseUrl}/api${path}`, {
      method,
      headers: { "x-api-key": adminKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return Schema.decodeUnknownPromise(schema)(await response.json())
  }

  /** Leads a channel of a relay to the squad chat. */
  async connect(relayHttpUrl: string, channel: string): Promise<void> {
    await this.ask(Schema.Unknown, "PUT", adapter, {
      kind: "relay",
      displayName: "Community",
      enabled: true,
      relayHttpUrl,
      publicKey: identities.bridge.publicKey,
      credentialRef: "env:RELAY_PRIVATE_KEY",
      allowLocalhost: true
    })
    const mapping = { target: { kind: "squad" }, enabled: true, actor: "bridge" }
    await this.ask(Schema.Unknown, "PUT", `${adapter}/relay/channels/${channel}`, mapping)
  }

  health(): Promise<Health> {
    return this.ask(Health, "GET", `${adapter}/health`)
  }

  squad(): Promise<ReadonlyArray<SquadMessage>> {
    return this.ask(Schema.Array(SquadMessage), "GET", "/chat/squad?limit=500")
  }

  /** The deliveries, newest first. */
  deliveries(): Promise<ReadonlyArray<Delivery>> {
    return this.ask(Schema.Array(Delivery), "GET", `${bridge}/deliveries`)
  }

  /** Says something in the squad chat and sends it to the relay. */
  async say(message: string, replyToId?: string): Promise<Sent> {
    const reply = replyToId === undefined ? {} : { replyToId }
    const said = await this.ask(SquadMessage, "POST", "/chat/squad", { agent: "ann", message, ...reply })
    return this.ask(Sent, "POST", `${adapter}/send`, {
      target: { kind: "squad", squadMessageId: said.id },
      message,
      actor: "ann",
      ...(replyToId === undefined ? {} : { replyToSquadMessageId: replyToId })
    })
  }

  /** Settles what may or may not have arrived; how much was looked at, handed over again, and has arrived. */
  poll() {
    const counts = Schema.Struct({ checked: Schema.Int, resubmitted: Schema.Int, success: Schema.Int })
    return this.ask(counts, "POST", `${adapter}/poll`)
  }
}
