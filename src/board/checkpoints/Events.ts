import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/** What every event of a checkpoint says. There is one for a task, and it goes by the task's id. */
const ofTask = { taskId: Schema.String }

export class CheckpointSaved extends Event("checkpoint.saved", "checkpoint", ofTask) {}

/** Somebody took the work up again; how often that happened since it was saved. */
export class CheckpointResumed extends Event("checkpoint.resumed", "checkpoint", {
  ...ofTask,
  resumeCount: Schema.Int
}) {}

export class CheckpointDeleted extends Event("checkpoint.deleted", "checkpoint", ofTask) {}
