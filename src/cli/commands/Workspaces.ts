import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Workspace } from "../../identity/members/Member.ts"
import { ask } from "../Answer.ts"
import { Client } from "../Client.ts"
import { oneLine } from "../Output.ts"
import type { Paint } from "../Paint.ts"
import { json } from "../Parts.ts"

/** The workspaces, one a line. */
const workspacesText = (workspaces: ReadonlyArray<Workspace>, paint: Paint): string => {
  if (workspaces.length === 0) return "No workspaces."
  const idWidth = Math.max(2, ...workspaces.map(({ id }) => id.length))
  const lines = workspaces.map(
    ({ id, name, role }) =>
      `${paint.bold(id.padEnd(idWidth))}  ${(role ?? "none").padEnd(9)}  ${oneLine(name)}`
  )
  return [paint.dim(`${"ID".padEnd(idWidth)}  ${"ROLE".padEnd(9)}  NAME`), ...lines].join("\n")
}

export const workspaces = Command.make("workspaces", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(({ members }) => members.workspaces())
      return { json: found, text: (paint) => workspacesText(found, paint) }
    })
  )
).pipe(Command.withDescription("List the workspaces, and the role that you have in each."))
