import { createServer, type IncomingMessage, type Server } from "node:http"
import type { Socket } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import { type Context, noCommunity, serves } from "./Context.ts"
import type { Fault } from "./Faults.ts"
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

/** What befalls an upgrade; false when the fault is none for upgrades. */
const refused = (fault: Fault | undefined, socket: Socket): boolean => {
  switch (fault?.type) {
    case "hang":
      return true
    case "cut":
      socket.resetAndDestroy()
      return true
    case "redirect":
      refuse(socket, 302, "", { location: fault.to })
      return true
    case "status": {
      const { body = "", headers, status } = fault
      refuse(socket, status, typeof body === "string" ? body : JSON.stringify(body), headers)
      return true
    }
    default:
      return false
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
    const server = createServer(relayHttp(this.context))
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
    if (refused(context.faults.take(upgradePath), socket)) return
    const path = (request.url ?? "/").split("?")[0] ?? ""
    if (![`${pathPrefix}/`, pathPrefix].includes(path)) return refuse(socket, 404, "not found")
    if (!serves(context, request.headers.host)) return refuse(socket, 404, noCommunity)
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
