import { Event } from "../../storage/events/Event.ts"
import { taskChange } from "../tasks/Events.ts"

export class ProgressSet extends Event("task.progress-set", "task", taskChange) {}

export class ProgressAppended extends Event("task.progress-appended", "task", taskChange) {}
