import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { TaskPriority, TaskStatus } from "../../../board/tasks/Task.ts"
import { Client } from "../../../client/Client.ts"
import { Misused } from "../../../client/Failure.ts"
import { HooksApi } from "../../../integrations/hooks/Api.ts"
import { type Hook, HookEvent, HookIdParam } from "../../../integrations/hooks/definitions/Hook.ts"
import { ExecutionStatus } from "../../../integrations/hooks/Execution.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { SecretReference } from "../../../kernel/SecretReference.ts"
import { ask } from "../../Answer.ts"
import { argumentOf, json, limitUpTo, optionOf } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"
import { table } from "../../text/Table.ts"

/*
 * The commands about webhooks: list, add, remove, executions, fire.
 */

const hookName = ({ id, name }: Pick<Hook, "id" | "name">, paint: Paint): string =>
  `${paint.bold(id)} ${oneLine(name)}`

const list = Command.make("list", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const all = yield* call(HooksApi, ({ hooks }) => hooks.list())
      const rows = all.map(({ action, enabled, event, id, name }) => [
        id,
        event,
        enabled ? "on" : "off",
        action.url ?? action.urlRef ?? "",
        name
      ])
      return {
        json: all,
        text: (paint) =>
          all.length === 0 ? "No hooks." : table(["ID", "EVENT", "STATE", "URL", "NAME"], rows, paint)
      }
    })
  )
).pipe(Command.withDescription("List the webhooks of the board."))

const event = Options.text("event").pipe(
  Options.withPseudoName("EVENT"),
  optionOf("--event", HookEvent),
  Options.withDescription(`What to wait for: ${HookEvent.literals.join(", ")}`)
)

const status = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("STATUS"),
    optionOf(`--${name}`, TaskStatus),
    Options.withDescription(description),
    Options.optional
  )

const addOptions = {
  name: Args.text({ name: "NAME" }).pipe(Args.withDescription("The name of the hook")),
  event,
  url: Options.text("url").pipe(
    Options.withPseudoName("URL"),
    Options.withDescription("Where the event is posted to; it holds no credential"),
    Options.optional
  ),
  urlRef: Options.text("url-ref").pipe(
    Options.withPseudoName("env:NAME"),
    optionOf("--url-ref", SecretReference),
    Options.withDescription(
      "In place of --url, where the URL itself is the secret: what holds it on the server"
    ),
    Options.optional
  ),
  credential: Options.text("credential").pipe(
    Options.withPseudoName("env:NAME"),
    optionOf("--credential", SecretReference),
    Options.withDescription("Sends a bearer token of the server that SERVICE_SECRETS lists"),
    Options.optional
  ),
  secret: Options.text("secret").pipe(
    Options.withPseudoName("env:NAME"),
    optionOf("--secret", SecretReference),
    Options.withDescription("Signs what is sent with a secret of the server that SERVICE_SECRETS lists"),
    Options.optional
  ),
  newStatus: status("new-status", "Only when the task comes to this status"),
  oldStatus: status("old-status", "Only when the task comes from this status"),
  project: Options.text("project").pipe(
    Options.withPseudoName("NAME"),
    Options.withDescription("Only for tasks of this project"),
    Options.optional
  ),
  priority: Options.text("priority").pipe(
    Options.withPseudoName("PRIORITY"),
    optionOf("--priority", TaskPriority),
    Options.withDescription(`Only for tasks of this priority: ${TaskPriority.literals.join(", ")}`),
    Options.optional
  ),
  json
}

/** A field of a request; absent when its option was not given. */
const part = <A, Part extends object>(option: Option.Option<A>, make: (value: A) => Part) =>
  Option.match(option, { onNone: () => ({}), onSome: make })

const add = Command.make("add", addOptions, (options) =>
  ask(
    options.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      if (Option.isSome(options.url) === Option.isSome(options.urlRef)) {
        return yield* new Misused({
          reason: "A webhook needs either a URL or a variable of the server that holds one",
          remedy: "Give the URL with --url URL, or name the variable that holds it with --url-ref env:NAME"
        })
      }
      const hook = yield* call(HooksApi, ({ hooks }) =>
        hooks.create({
          payload: {
            name: options.name,
            event: options.event,
            filter: {
              ...part(options.newStatus, (newStatus) => ({ newStatus })),
              ...part(options.oldStatus, (oldStatus) => ({ oldStatus })),
              ...part(options.project, (project) => ({ project })),
              ...part(options.priority, (priority) => ({ priority }))
            },
            action: {
              type: "webhook",
              ...part(options.url, (url) => ({ url })),
              ...part(options.urlRef, (urlRef) => ({ urlRef })),
              ...part(options.secret, (secretRef) => ({ secretRef })),
              ...part(options.credential, (credentialRef) => ({ credentialRef }))
            }
          }
        })
      )
      return { json: hook, text: (paint) => `${paint.green("Added")} ${hookName(hook, paint)}` }
    })
  )
).pipe(Command.withDescription("Post an event to a URL each time it happens."))

const hookId = Args.text({ name: "HOOK" }).pipe(
  argumentOf("HOOK", HookIdParam),
  Args.withDescription("The whole id of a hook")
)

const remove = Command.make("remove", { hookId, json }, (options) =>
  ask(
    options.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const { hookId: id } = options
      yield* call(HooksApi, ({ hooks }) => hooks.remove({ path: { id } }))
      return {
        json: { id, removed: true },
        text: (paint) => `${paint.green("Removed")} ${paint.bold(oneLine(id))}`
      }
    })
  )
).pipe(Command.withDescription("Remove a webhook, and drop its waiting deliveries."))

const ofHook = Options.text("hook").pipe(
  Options.withPseudoName("HOOK"),
  optionOf("--hook", HookIdParam),
  Options.withDescription("The whole id of a hook"),
  Options.optional
)

const executionOptions = {
  hook: ofHook,
  status: Options.text("status").pipe(
    Options.withPseudoName("STATUS"),
    optionOf("--status", ExecutionStatus),
    Options.withDescription(`Only deliveries in this state: ${ExecutionStatus.literals.join(", ")}`),
    Options.optional
  ),
  limit: limitUpTo(1_000, "At most this many, 1 to 1000; 20 without it").pipe(Options.withDefault(20)),
  json
}

const executions = Command.make("executions", executionOptions, (options) =>
  ask(
    options.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(HooksApi, ({ hooks }) =>
        hooks.executions({
          urlParams: {
            limit: options.limit,
            ...part(options.hook, (hookId) => ({ hookId })),
            ...part(options.status, (status) => ({ status }))
          }
        })
      )
      const rows = found.map(
        ({ attempts, error, event: name, hookId: of, startedAt, status: state, statusCode }) => [
          startedAt,
          state,
          name,
          of,
          String(attempts),
          error ?? (statusCode === undefined ? "" : String(statusCode))
        ]
      )
      return {
        json: found,
        text: (paint) =>
          found.length === 0
            ? "No deliveries."
            : table(["STARTED", "STATE", "EVENT", "HOOK", "ATTEMPTS", "ANSWER"], rows, paint)
      }
    })
  )
).pipe(Command.withDescription("Show the newest deliveries, and what came of them."))

const fire = Command.make("fire", { hook: ofHook, event: Options.optional(event), json }, (options) =>
  ask(
    options.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const firings = [
        ...Option.toArray(Option.map(options.hook, (hookId) => ({ hookId }))),
        ...Option.toArray(Option.map(options.event, (event) => ({ event })))
      ]
      const [payload, another] = firings
      if (payload === undefined || another !== undefined) {
        return yield* new Misused({
          reason: "Firing needs either a hook or an event",
          remedy: "Name a hook with --hook HOOK, or all hooks that wait for an event with --event EVENT"
        })
      }
      const fired = yield* call(HooksApi, ({ hooks }) =>
        "hookId" in payload ? hooks.fire({ payload }) : hooks.fire({ payload })
      )
      const { length } = fired.deliveries
      return {
        json: fired,
        text: (paint) =>
          length === 0
            ? "No hook waits for it."
            : `${paint.green("Fired")} ${length} ${length === 1 ? "hook" : "hooks"}; muster hooks executions shows what comes of it`
      }
    })
  )
).pipe(Command.withDescription("Try a webhook, or all that wait for an event."))

export const hooks = Command.make("hooks").pipe(
  Command.withSubcommands([list, add, remove, executions, fire])
)
