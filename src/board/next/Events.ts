import { Event } from "../../storage/events/Event.ts"
import { statusChange } from "../tasks/Events.ts"

/** An agent took a task in hand. */
export class TaskClaimed extends Event("task.claimed", "task", statusChange) {}
