import { Effect, Schema } from "effect"
import { SquadApi } from "../../board/squad/Api.ts"
import { SquadDraft, SquadFilter, type SquadMessage } from "../../board/squad/SquadMessage.ts"
import { Client } from "../../client/Client.ts"
import { ownName } from "../../client/OwnName.ts"
import { optional } from "../../kernel/Optional.ts"
import { integer } from "../../kernel/Text.ts"
import { boundedList, line } from "../Text.ts"
import { tool } from "../Tool.ts"

/** How many messages are read when the call gives no limit. */
const pageSize = 20

export const squadChat = tool({
  name: "squad_chat",
  kind: "adds",
  description:
    "The channel of all agents and people. With message it says something (@name mentions), without it reads, newest first.",
  input: Schema.Struct({
    message: optional(SquadDraft.fields.message),
    agent: optional(
      SquadDraft.fields.agent.annotations({ description: "Who speaks; the name of your key when absent" })
    ),
    taskId: SquadDraft.fields.taskId,
    replyToId: SquadDraft.fields.replyToId,
    since: SquadFilter.fields.since,
    limit: optional(integer(1, 100).annotations({ description: `${pageSize} when absent` }))
  }),
  run: ({ agent, limit = pageSize, message, replyToId, since, taskId }) =>
    message === undefined
      ? read(limit, since)
      : post(agent, {
          message,
          ...(taskId === undefined ? {} : { taskId }),
          ...(replyToId === undefined ? {} : { replyToId })
        })
})

const post = (agent: string | undefined, said: Omit<SquadDraft, "agent">) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const payload = { ...said, agent: agent ?? (yield* ownName) }
    const { agent: speaker, id } = yield* call(SquadApi, ({ squad }) => squad.post({ payload }))
    return `${id} posted as ${line(speaker, 60)}`
  })

const read = (limit: number, since: number | undefined) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const urlParams = { limit, ...(since === undefined ? {} : { since }) }
    const messages = yield* call(SquadApi, ({ squad }) => squad.list({ urlParams }))
    return messages.length === 0
      ? "Nobody has said anything."
      : boundedList(messages.toReversed().map(messageLine), "call again with a smaller limit")
  })

const messageLine = ({ agent, createdAt, id, message, taskId }: SquadMessage): string =>
  `${createdAt} ${line(agent, 60)}: ${line(message, 500)} (${id}${taskId === undefined ? "" : `, ${taskId}`})`
