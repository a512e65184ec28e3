import { Schema } from "effect"
import { TaskPriority, TaskStatus, TaskType } from "../../../board/tasks/Task.ts"
import { IdParam } from "../../../kernel/IdParam.ts"
import { optional } from "../../../kernel/Optional.ts"
import { SecretReference } from "../../../kernel/SecretReference.ts"
import { everyIssue, nonBlank, strict } from "../../../kernel/Text.ts"
import { Timestamp } from "../../../kernel/Time.ts"
import { urlText } from "../../../kernel/UrlText.ts"

/** The most hooks that a board has. */
export const hookLimit = 100

/** The events that a hook can wait for (decision Q40); `approval.pending` is for whoever is to be told that a run needs a person. */
export const HookEvent = Schema.Literal(
  "task.created",
  "task.updated",
  "task.status.changed",
  "task.completed",
  "task.archived",
  "run.started",
  "run.completed",
  "squad.message",
  "approval.pending"
).annotations({ identifier: "HookEvent" })
export type HookEvent = typeof HookEvent.Type

/** What an event must hold for the hook to run: every given key must be equal. */
export const HookFilter = Schema.Struct({
  newStatus: optional(TaskStatus),
  oldStatus: optional(TaskStatus),
  project: optional(nonBlank(200)),
  priority: optional(TaskPriority),
  type: optional(TaskType)
}).annotations({ identifier: "HookFilter", ...strict })
export type HookFilter = typeof HookFilter.Type

/**
 * What a hook does: it posts the event to a URL, which is stored, or, when the URL itself is a secret, held by a
 * variable. With a `secretRef` the request carries `X-Muster-Signature`, so that the receiver can tell who sent it;
 * with a `credentialRef` it carries a bearer token.
 */
export const HookAction = Schema.Struct({
  type: Schema.Literal("webhook"),
  url: optional(urlText(2_000)).annotations({ description: "Where the event goes; it holds no credential" }),
  urlRef: optional(SecretReference).annotations({
    description:
      "In place of `url`: the variable that holds the whole URL, where the URL itself is the secret"
  }),
  secretRef: optional(SecretReference).annotations({ description: "What the request is signed with" }),
  credentialRef: optional(SecretReference).annotations({
    description: "What the request carries as `Authorization: Bearer`"
  })
})
  .pipe(
    Schema.filter(({ url, urlRef }) => {
      if (url === undefined && urlRef === undefined)
        return { path: ["url"], message: "Expected a URL, or urlRef with the variable that holds it" }
      return url !== undefined && urlRef !== undefined
        ? { path: ["urlRef"], message: "Expected url or urlRef, one of them" }
        : undefined
    })
  )
  .annotations({ identifier: "HookAction", ...strict })
export type HookAction = typeof HookAction.Type

/** A hook: an event of the board, and the request that it causes (spec 1-core, Hooks). */
export const Hook = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  event: HookEvent,
  filter: HookFilter,
  action: HookAction,
  enabled: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Schema.String
}).annotations({ identifier: "Hook" })
export type Hook = typeof Hook.Type

const name = nonBlank(200)

/** The body of a create. */
export const HookDraft = Schema.Struct({
  name,
  event: HookEvent,
  filter: optional(HookFilter),
  action: HookAction,
  enabled: optional(Schema.Boolean)
}).annotations({ identifier: "HookDraft", ...everyIssue })
export type HookDraft = typeof HookDraft.Type

/** The body of a patch. What is absent stays as it is; `filter` and `action` are replaced as a whole. */
export const HookPatch = Schema.Struct({
  name: optional(name),
  event: optional(HookEvent),
  filter: optional(HookFilter),
  action: optional(HookAction),
  enabled: optional(Schema.Boolean)
}).annotations({ identifier: "HookPatch", ...everyIssue })
export type HookPatch = typeof HookPatch.Type

/** The id of a hook in a path or a body. Any text is accepted: an unknown id is a 404. */
export const HookIdParam = IdParam.annotations({ description: "The id of a hook" })

/** The facts of an event that a filter can compare. */
export interface EventFacts {
  readonly newStatus?: string | undefined
  readonly oldStatus?: string | undefined
  readonly project?: string | undefined
  readonly priority?: string | undefined
  readonly type?: string | undefined
}

/** Whether an event passes a filter. */
export const matches = (filter: HookFilter, facts: EventFacts): boolean =>
  Object.entries(filter).every(([key, value]) => Reflect.get(facts, key) === value)
