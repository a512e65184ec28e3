import { Event } from "../../storage/Event.ts"
import { taskChange } from "../tasks/Events.ts"

export class TaskCommented extends Event<TaskCommented>()("task.commented", "task", taskChange) {}

export class CommentEdited extends Event<CommentEdited>()("task.comment-edited", "task", taskChange) {}

export class CommentRemoved extends Event<CommentRemoved>()("task.comment-removed", "task", taskChange) {}
