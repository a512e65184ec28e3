import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { FieldsDeniedWire } from "../../kernel/FieldRights.ts"
import { Limit } from "../../kernel/Paging.ts"
import { Fired, Firing } from "./definitions/FireHook.ts"
import { Hook, HookDraft, HookIdParam, HookPatch } from "./definitions/Hook.ts"
import { Execution, ExecutionStatus } from "./Execution.ts"
import * as Wire from "./Wire.ts"

const HookPath = Schema.Struct({ id: HookIdParam })

/** Which executions to list. */
const ExecutionFilter = Schema.Struct({
  hookId: Schema.optional(HookIdParam),
  status: Schema.optional(ExecutionStatus),
  limit: Schema.optional(Limit)
})

export const HooksApi = HttpApiGroup.make("hooks")
  .add(
    HttpApiEndpoint.get("list", "/hooks")
      .addSuccess(Schema.Array(Hook))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "All hooks, in the order of their creation. A board has at most 100. Who may not write them sees no query of a URL."
      )
  )
  .add(
    HttpApiEndpoint.get("executions", "/hooks/executions")
      .setUrlParams(ExecutionFilter)
      .addSuccess(Schema.Array(Execution))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The newest deliveries, whatever came of them: an event that was just committed is among them. `X-Total-Count` says how many match; the newest 10,000 are kept."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/hooks")
      .setPayload(HookDraft)
      .addSuccess(created(Hook))
      .addError(Wire.HookUrlRefused)
      .addError(FieldsDeniedWire)
      .addError(Wire.HookLimitReached)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Posts an event to a URL whenever it happens from now on. Every key of the filter must equal: `newStatus`, `oldStatus`, `project`, `priority`, `type`; another key is a 400. The URL must be http or https and lead to the public internet; an operator allows loopback and private networks, and link-local and metadata addresses are never called. The body is `{event, hookId, deliveryId, taskId, task, oldStatus, newStatus, timestamp}` with the task as it is when the delivery is sent; that of `approval.pending`, a run that waits for a person, has the `approval` too. A delivery has 8 seconds, redirects are not followed, and 408, 425, 429, 5xx and broken connections are tried again, up to 8 times in about two and a half hours, honouring `Retry-After`. It arrives at least once: `X-Muster-Delivery` is the same each time. A URL that holds a credential is refused: a user, a parameter such as `token` or `sig`, or a path that is the secret, as at hooks.slack.com/services. `action.credentialRef` (`env:NAME`, a variable that SERVICE_SECRETS lists) is sent as `Authorization: Bearer`, over https or to this machine; `action.urlRef`, in place of `url`, names a variable that holds the whole URL, which is https too. With `action.secretRef` it carries `X-Muster-Signature: sha256=<HMAC of X-Muster-Timestamp, a dot and the body>`. To name a secret, and to send one that is named to another URL, takes admin:manage too: else it is a 403 that names the field. A variable that is bound to other hosts, or that serves relay adapters alone, is a 400."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/hooks/:id")
      .setPath(HookPath)
      .addSuccess(Hook)
      .addError(Wire.HookNotFound)
      .annotate(Requires, "settings:read")
      .annotate(OpenApi.Description, "A hook as it is now. Who may not write it sees no query of its URL.")
  )
  .add(
    HttpApiEndpoint.patch("patch", "/hooks/:id")
      .setPath(HookPath)
      .setPayload(HookPatch)
      .addSuccess(Hook)
      .addError(Wire.HookNotFound)
      .addError(Wire.HookUrlRefused)
      .addError(FieldsDeniedWire)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Changes a hook, or switches it off and on with `enabled`. `filter` and `action` are replaced as a whole: an action that goes on with its secrets names them again, and the rules of a create hold for what changes. What is queued already is still delivered, to the URL as it then is."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/hooks/:id")
      .setPath(HookPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.HookNotFound)
      .annotate(Requires, "settings:write")
      .annotate(OpenApi.Description, "Deletes a hook and drops what waits for it.")
  )
  .add(
    HttpApiEndpoint.post("fire", "/hooks/fire")
      .setPayload(Firing)
      .addSuccess(Fired)
      .addError(Wire.HookNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Queues deliveries by hand: for one hook by `hookId`, switched on or not, or for all that wait for an `event`, whatever their filters. `payload` is any JSON and is sent along. Their outcome is among the executions."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Hooks")
