// The comparator for fan-out: a bare `ws` server that sends a frame to every client, paged as the product's hub is.
import { createServer } from "node:http"
import { WebSocketServer } from "ws"

const server = createServer((request, response) => {
  const count = Number(new URL(request.url, "http://localhost").searchParams.get("count") ?? 0)
  let sent = 0
  const page = () => {
    for (let index = 0; index < 256 && sent < count; index++, sent++) {
      const frame = Buffer.from(
        JSON.stringify({
          type: "task:updated",
          task: { id: `t${sent}`, text: "x".repeat(900), updatedAt: new Date().toISOString() }
        })
      )
      for (const client of sockets.clients) client.send(frame, { binary: false })
    }
    if (sent < count) setImmediate(page)
  }
  page()
  response.end("{}")
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
server.listen(Number(process.env.SERVICE_PORT), "127.0.0.1")
process.on("SIGTERM", () => process.exit(0))
