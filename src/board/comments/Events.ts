import { Event } from "../../storage/events/Event.ts"
import { taskChange } from "../tasks/Events.ts"

export class TaskCommented extends Event("task.commented", "task", taskChange) {}

export class CommentEdited extends Event("task.comment-edited", "task", taskChange) {}

export class CommentRemoved extends Event("task.comment-removed", "task", taskChange) {}
