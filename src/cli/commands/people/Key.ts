import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { Client } from "../../../client/Client.ts"
import { Misused } from "../../../client/Failure.ts"
import { TokensApi } from "../../../identity/tokens/Api.ts"
import type { ApiToken } from "../../../identity/tokens/ApiToken.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { IdParam } from "../../../kernel/IdParam.ts"
import { Permission } from "../../../kernel/Permission.ts"
import { nonBlank } from "../../../kernel/Text.ts"
import { Instant } from "../../../kernel/Time.ts"
import { ask } from "../../Answer.ts"
import { argumentOf, json, optionOf } from "../../Parts.ts"
import { table } from "../../text/Table.ts"
import { role, workspace } from "./Workspaces.ts"

/*
 * The keys of agents and scripts, which are the API tokens of the board: create, list, revoke.
 */

const name = Args.text({ name: "NAME" }).pipe(
  argumentOf("NAME", nonBlank(100)),
  Args.withDescription("Who is to use it; what it does on the board bears this name")
)

const scope = Options.text("scope").pipe(
  Options.withPseudoName("PERMISSION"),
  Options.withDescription(
    `A permission of the role that the key has: ${Permission.literals.join(", ")}; may be repeated; all without it`
  ),
  Options.repeated,
  optionOf("--scope", Schema.mutable(Schema.Array(Permission)))
)

const expires = Options.text("expires").pipe(
  optionOf("--expires", Instant),
  Options.withPseudoName("TIME"),
  Options.withDescription(
    "When it expires, e.g. 2027-01-01T00:00:00Z; without it, it is valid until it is revoked"
  ),
  Options.optional
)

const given = role("The role of the key: admin, agent or read-only; agent without it")

const bare = Options.boolean("bare").pipe(Options.withDescription("Print the key alone, for a script"))

const create = Command.make("create", { name, role: given, scope, expires, workspace, bare, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const key = yield* call(TokensApi, ({ tokens }) =>
        tokens.create({
          payload: {
            name: given.name,
            role: given.role,
            workspaceId: given.workspace,
            ...(given.scope.length === 0 ? {} : { scopes: given.scope }),
            ...(Option.isNone(given.expires) ? {} : { expiresAt: given.expires.value })
          }
        })
      )
      return {
        json: key,
        text: (paint) =>
          given.bare
            ? key.token
            : [
                `${paint.green("Made")} ${paint.bold(key.id)} for ${oneLine(key.name)}, as ${key.role}`,
                `${paint.bold("Key:")} ${key.token}`,
                "It is shown this once. Whoever uses it sets SERVICE_API_KEY to it."
              ].join("\n")
      }
    })
  )
).pipe(Command.withDescription("Make a key for an agent or a script, and show it once."))

const stateOf = ({ expiresAt, revokedAt }: ApiToken): string =>
  revokedAt !== null ? `revoked ${revokedAt}` : expiresAt !== null ? `until ${expiresAt}` : "valid"

const list = Command.make("list", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const all = yield* call(TokensApi, ({ tokens }) => tokens.list({ urlParams: {} }))
      return {
        json: all,
        text: (paint) =>
          all.length === 0
            ? "No keys but those of the environment and of this machine."
            : table(
                ["ID", "ROLE", "NAME", "STATE"],
                all.map((key) => [key.id, key.role, key.name, stateOf(key)]),
                paint
              )
      }
    })
  )
).pipe(Command.withDescription("List the keys, the revoked ones too."))

const id = Args.text({ name: "KEY" }).pipe(
  argumentOf("KEY", IdParam),
  Args.withDescription("The id of a key, or the name of the only valid one that has it")
)

/** The id of a key that is given by its id or by its name. */
const idOf = (named: string) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const all = yield* call(TokensApi, ({ tokens }) => tokens.list({ urlParams: {} }))
    if (all.some((key) => key.id === named)) return named
    const [only, another] = all.filter((key) => key.name === named && key.revokedAt === null)
    if (another !== undefined) {
      return yield* new Misused({
        reason: `Several keys bear the name ${named}`,
        remedy: "Say which one by its id: muster key list shows them"
      })
    }
    return only?.id ?? named
  })

const revoke = Command.make("revoke", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const id = yield* idOf(given.id)
      yield* call(TokensApi, ({ tokens }) => tokens.revoke({ path: { id } }))
      return {
        json: { id, revoked: true },
        text: (paint) => `${paint.green("Revoked")} ${paint.bold(oneLine(id))}: it ends with the next request`
      }
    })
  )
).pipe(Command.withDescription("Revoke a key."))

export const key = Command.make("key").pipe(Command.withSubcommands([create, list, revoke]))
