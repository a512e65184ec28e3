import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const ChatSessionNotFound = Envelope.general(Errors.ChatSessionNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Chat session ${error.sessionId} does not exist`
})

export const ChatSessionFull = Envelope.general(Errors.ChatSessionFull, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `Chat session ${error.sessionId} holds ${error.limit} messages, and no more: begin another one`
})
