import { Event } from "../../storage/events/Event.ts"
import { taskChange } from "../tasks/Events.ts"

export class TimerBegun extends Event("task.timer-started", "task", taskChange) {}

export class TimerEnded extends Event("task.timer-stopped", "task", taskChange) {}

export class TimeAdded extends Event("task.time-added", "task", taskChange) {}

export class TimeRemoved extends Event("task.time-removed", "task", taskChange) {}
