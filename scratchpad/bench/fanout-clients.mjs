// Subscribers in a process of their own: they count what they get, and a few read the times in it.
import { WebSocket } from "ws"

const [url, countText] = process.argv.slice(2)
const count = Number(countText)
const received = new Array(count).fill(0)
const latencies = []
let target = Number.POSITIVE_INFINITY
let left = count

const report = () => process.send({ done: true })
for (let index = 0; index < count; index++) {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  socket.on("open", () => {
    if (--left === 0) process.send({ ready: true })
  })
  socket.on("close", (code) => process.send({ closed: code }))
  socket.on("message", (data) => {
    received[index]++
    if (index % 50 === 0) {
      const at = /"updatedAt":"([^"]+)"/.exec(data.toString())?.[1]
      if (at !== undefined) latencies.push(Date.now() - Date.parse(at))
    }
    if (received[index] === target && received.every((got) => got >= target)) report()
  })
}
process.on("message", (message) => {
  if (message.target !== undefined) {
    target = received[0] + message.target
    if (received.every((got) => got >= target)) report()
  }
  if (message.latencies) {
    process.send({ latencies: latencies.splice(0).sort((a, b) => a - b) })
  }
})
