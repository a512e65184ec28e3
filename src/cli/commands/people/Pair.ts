import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Schema } from "effect"
import { Client } from "../../../client/Client.ts"
import { DevicesApi } from "../../../identity/devices/Api.ts"
import { ClientMode } from "../../../identity/devices/Device.ts"
import { Permission } from "../../../kernel/Permission.ts"
import { ask } from "../../Answer.ts"
import { json, optionOf } from "../../Parts.ts"
import { role, workspace } from "./Workspaces.ts"

const name = Args.text({ name: "NAME" }).pipe(
  Args.withDescription("The name of the device; several words need no quotes"),
  Args.atLeast(1),
  Args.map((parts) => parts.join(" "))
)

const mode = Options.text("mode").pipe(
  optionOf("--mode", ClientMode),
  Options.withPseudoName("MODE"),
  Options.withDescription("What kind of client it is: desktop, mobile or pwa; mobile without it"),
  Options.withDefault("mobile" as const)
)

const granted = role("The role that the device has: admin, agent or read-only; agent without it")

const scope = Options.text("scope").pipe(
  Options.withPseudoName("PERMISSION"),
  Options.withDescription(
    `A permission of the role that the device may use: ${Permission.literals.join(", ")}; may be repeated; all without it`
  ),
  Options.repeated,
  optionOf("--scope", Schema.mutable(Schema.Array(Permission)))
)

export const pair = Command.make("pair", { name, mode, role: granted, scope, workspace, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const pairing = yield* call(DevicesApi, ({ devices }) =>
        devices.createPairing({
          path: { workspaceId: given.workspace },
          payload: {
            deviceName: given.name,
            clientMode: given.mode,
            role: given.role,
            capabilities: [],
            ...(given.scope.length === 0 ? {} : { scopes: given.scope })
          }
        })
      )
      return {
        json: pairing,
        text: (paint) =>
          [
            `${paint.bold("Link:")} ${pairing.link}`,
            `${paint.bold("Code:")} ${pairing.code}`,
            `Give the link to the client on the device before ${pairing.expiresAt}. It pairs one device, once, as ${pairing.role}, and is shown this once.`
          ].join("\n")
      }
    })
  )
)
