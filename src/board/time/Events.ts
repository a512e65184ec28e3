import { Event } from "../../storage/Event.ts"
import { taskChange } from "../tasks/Events.ts"

export class TimerBegun extends Event<TimerBegun>()("task.timer-started", "task", taskChange) {}

export class TimerEnded extends Event<TimerEnded>()("task.timer-stopped", "task", taskChange) {}

export class TimeAdded extends Event<TimeAdded>()("task.time-added", "task", taskChange) {}

export class TimeRemoved extends Event<TimeRemoved>()("task.time-removed", "task", taskChange) {}
