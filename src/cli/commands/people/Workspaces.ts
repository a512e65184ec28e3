import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Schema } from "effect"
import { Client } from "../../../client/Client.ts"
import { InvitationsApi } from "../../../identity/invitations/Api.ts"
import { MembersApi } from "../../../identity/members/Api.ts"
import { Email } from "../../../identity/members/Email.ts"
import { defaultWorkspace } from "../../../kernel/Actor.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { IdParam } from "../../../kernel/IdParam.ts"
import { Role } from "../../../kernel/Permission.ts"
import { ask } from "../../Answer.ts"
import { argumentOf, json, optionOf } from "../../Parts.ts"
import { table } from "../../text/Table.ts"

/*
 * The workspaces and who belongs to them: workspaces, workspaces members, invite and switch.
 */

export const workspace = Options.text("workspace").pipe(
  optionOf("--workspace", IdParam),
  Options.withPseudoName("ID"),
  Options.withDescription(`The workspace; ${defaultWorkspace} without it`),
  Options.withDefault(defaultWorkspace)
)

export const role = (description: string) =>
  Options.text("role").pipe(
    optionOf("--role", Role),
    Options.withPseudoName("ROLE"),
    Options.withDescription(description),
    Options.withDefault("agent" as const)
  )

const members = Command.make("members", { workspace, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(MembersApi, ({ members }) =>
        members.list({ path: { workspaceId: given.workspace } })
      )
      return {
        json: found,
        text: (paint) =>
          table(
            ["ID", "ROLE", "NAME", "EMAIL"],
            found.map(({ displayName, email, id, role }) => [id, role, displayName, email ?? "-"]),
            paint
          )
      }
    })
  )
).pipe(Command.withDescription("List the members of a workspace and their roles."))

const email = Args.text({ name: "EMAIL" }).pipe(
  argumentOf("EMAIL", Schema.typeSchema(Email)),
  Args.withDescription("The address of the person to invite; nothing is mailed to it")
)

const invited = role("What the invited person may do: admin, agent or read-only; agent without it")

const invite = Command.make("invite", { email, role: invited, workspace, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const invitation = yield* call(InvitationsApi, ({ invitations }) =>
        invitations.create({
          path: { workspaceId: given.workspace },
          payload: { email: given.email, role: given.role }
        })
      )
      return {
        json: invitation,
        text: (paint) =>
          [
            `${paint.green("Invited")} ${oneLine(invitation.email)} as ${invitation.role}, until ${invitation.expiresAt}`,
            `${paint.bold("Token:")} ${invitation.token}`,
            "Give it to them: it is shown this once. They join with POST /api/auth/invitations/accept {token, displayName, email}."
          ].join("\n")
      }
    })
  )
).pipe(Command.withDescription("Invite somebody into a workspace, and get the token to give to them."))

const workspaceId = Args.text({ name: "ID" }).pipe(
  argumentOf("ID", IdParam),
  Args.withDescription("The workspace to choose")
)

const choose = Command.make("switch", { workspaceId, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const profile = yield* call(MembersApi, ({ members }) =>
        members.switch({ payload: { workspaceId: given.workspaceId } })
      )
      return {
        json: profile,
        text: (paint) =>
          `${paint.green("Chose")} ${paint.bold(profile.workspaceId)}: ${oneLine(profile.name)} is ${profile.role} there`
      }
    })
  )
).pipe(Command.withDescription("Choose a workspace that you belong to."))

export const workspaces = Command.make("workspaces", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(MembersApi, ({ members }) => members.workspaces())
      return {
        json: found,
        text: (paint) =>
          found.length === 0
            ? "No workspaces."
            : table(
                ["ID", "ROLE", "NAME"],
                found.map(({ id, name, role }) => [id, role ?? "none", name]),
                paint
              )
      }
    })
  )
).pipe(Command.withSubcommands([members, invite, choose]))
