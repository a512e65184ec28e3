import { given, made, type Scenario } from "./Scenario.ts"

const aSession = made("/api/chat/send", { agent: "codex", message: "How far are the docs?" })

export const chat: Readonly<Record<string, Scenario>> = {
  "chat.send": given(aSession, ({ sessionId }) => ({ body: { sessionId, message: "And the tests?" } })),
  "chat.list": given(aSession, () => ({ query: "?limit=5" })),
  "chat.get": given(aSession, ({ sessionId }) => ({ path: { id: sessionId } })),
  "chat.history": given(aSession, ({ sessionId }) => ({ path: { id: sessionId }, query: "?limit=5" })),
  "chat.remove": given(aSession, ({ sessionId }) => ({ path: { id: sessionId } }))
}
