import { Args, Options } from "@effect/cli"
import { TaskIdInput } from "../board/tasks/Task.ts"

/*
 * The arguments and options that several commands share.
 */

export const id = Args.text({ name: "ID" }).pipe(
  Args.withSchema(TaskIdInput),
  Args.withDescription("The whole id of a task")
)

export const json = Options.boolean("json").pipe(
  Options.withDescription("Print JSON on stdout and nothing else; errors too, as the server's envelope")
)

/** Words that need no quotes, as one text. */
export const words = (name: string, description: string) =>
  Args.text({ name }).pipe(
    Args.withDescription(description),
    Args.atLeast(1),
    Args.map((parts) => parts.join(" "))
  )
