import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"
import { statusChange } from "../tasks/Events.ts"

/** An agent took a task in hand, with the epoch of its claim; none when an attempt runs, whose task it stays. */
export class TaskClaimed extends Event("task.claimed", "task", {
  ...statusChange,
  epoch: optional(Schema.Int)
}) {}
