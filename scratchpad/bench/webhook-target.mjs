// Where webhooks of the benchmark go, in a process of its own: `/hang` takes a delivery and never answers, `/answer`
// answers at once, `/count` says how many were answered.
import { createServer } from "node:http"

let answered = 0
const server = createServer((request, response) => {
  request.resume()
  if (request.url === "/hang") return
  if (request.url === "/count") return response.end(String(answered))
  answered++
  response.end()
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env.SERVICE_PORT ?? 4104), "127.0.0.1")
