import { createServer, type IncomingMessage, type Server } from "node:http"
import type { Socket } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import { type Context, noCommunity, serves } from "./Context.ts"
import type { Fault } from "./Faults.ts"
import { tellingHeaders } from "./Journal.ts"
import { relayHttp } from "./RelayHttp.ts"
import { RelaySocket, type SocketMoods } from "./RelaySocket.ts"
import { gone } from "./SocketLife.ts"

/** Larger frames than the relay's own limit get in, so that it can say a word before it hangs up. */
const maxPayload = 67_108_864

/** The name under which faults of the upgrade wait, for the path alone is shared with NIP-11. */
export const upgradePath = "ws"

const refuse = (
  socket: Socket,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {}
) => {
  const all = { "content-type": "text/plain", "content-length": `${Buffer.byteLength(body)}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join("")}connection: close\r\n\r\n${body}`)
}

/** Lets a fault happen to an upgrade; gives the status that was sent. */
const suffer = (fault: Fault, socket: Socket): number | undefined => {
  switch (fault.type) {
    case "redirect":
      refuse(socket, 302, "", { location: fault.to })
      return 302
    case "status": {
      const { body = "", headers, status } = fault
      refuse(socket, status, typeof body === "string" ? body : JSON.stringify(body), headers)
      return status
    }
    case "cut":
      socket.resetAndDestroy()
      return undefined
    default:
      // Of an answer without a body nothing can be late or half; whatever else is asked for is a silence.
      return undefined
  }
}

/** The listening side of a relay, which can go away and come back on the same port with what it knew. */
export class RelayServer {
  readonly sockets = new Set<RelaySocket>()
  readonly moods: SocketMoods = { deaf: false, silentAuth: false, refuseAuth: undefined }
  port = 0
  private readonly context: Context
  private readonly raw = new Map<WebSocket, RelaySocket>()
  private readonly upgrades = new WebSocketServer({ noServer: true, maxPayload })
  private readonly hanging = new Set<Socket>()
  private server: Server | undefined

  constructor(context: Context) {
    this.context = context
  }

  async start(port: number): Promise<void> {
    if (this.server !== undefined) return
    const handle = relayHttp(this.context)
    const server = createServer((request, response) => {
      // What fails here fails because the relay is going away under the request.
      handle(request, response).catch(() => response.destroy())
    })
    server.on("upgrade", (request, socket: Socket, head) => this.upgrade(request, socket, head))
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", resolve)
    })
    const address = server.address()
    this.port = typeof address === "object" && address !== null ? address.port : port
    this.server = server
  }

  /** Goes away as in a planned restart: the sockets are told 1012. */
  async stop(): Promise<void> {
    const { server } = this
    if (server === undefined) return
    this.server = undefined
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const sockets = [...this.raw.keys()]
    for (const socket of sockets) socket.close(1012, "service restart")
    for (const socket of this.hanging) socket.destroy()
    server.closeAllConnections()
    await Promise.all(sockets.map((socket) => gone(socket)))
    await closed
  }

  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { context } = this
    const { pathPrefix } = context.settings
    socket.on("error", () => {})
    this.hanging.add(socket)
    socket.on("close", () => this.hanging.delete(socket))
    const path = (request.url ?? "/").split("?")[0] ?? ""
    const note = (status: number | undefined): void =>
      context.journal.note(({ upgrades }) =>
        upgrades.push({ path, status, headers: tellingHeaders(request) })
      )
    const fault = context.faults.take(upgradePath)
    if (fault !== undefined) return note(suffer(fault, socket))
    const isRoot = [`${pathPrefix}/`, pathPrefix].includes(path)
    if (!isRoot || !serves(context, request.headers.host)) {
      refuse(socket, 404, isRoot ? noCommunity : "not found")
      return note(404)
    }
    note(101)
    this.upgrades.handleUpgrade(request, socket, head, (client) => {
      this.open(client, request.headers.host ?? "")
    })
  }

  private open(client: WebSocket, host: string): void {
    const { journal } = this.context
    journal.note((seen) => {
      seen.openSockets += 1
      seen.sockets += 1
    })
    const socket = new RelaySocket(client, journal.sockets, host, this.context, this.moods)
    this.sockets.add(socket)
    this.raw.set(client, socket)
    client.on("close", () => {
      this.sockets.delete(socket)
      this.raw.delete(client)
      journal.note((seen) => {
        seen.openSockets -= 1
      })
    })
  }
}
