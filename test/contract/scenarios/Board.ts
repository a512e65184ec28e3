import { Effect } from "effect"
import { type Ask, aTask, given, just, made, madeAt, type Scenario } from "./Scenario.ts"

const anArchivedTask = (ask: Ask) =>
  Effect.flatMap(aTask(ask), ({ id }) => made(`/api/tasks/${id}/archive`, {})(ask))
const aDependency = (ask: Ask) =>
  Effect.flatMap(Effect.all([aTask(ask), aTask(ask)]), ([task, other]) =>
    Effect.as(made(`/api/tasks/${task.id}/dependencies`, { dependsOn: other.id })(ask), {
      id: task.id,
      dependencyId: other.id
    })
  )
const aMessage = made("/api/chat/squad", { agent: "codex", message: "@ann it is done", tags: ["docs"] })
const aNotification = (ask: Ask) =>
  Effect.flatMap(aMessage(ask), () =>
    Effect.map(ask("GET", "/api/notifications?actor=ann", { as: "admin" }), ({ body }) => body[0])
  )
const aTemplate = (name: string) =>
  made("/api/templates", { name, description: "For bugs", fields: { type: "bug", labels: ["bug"] } })

const ofTask = given(aTask, ({ id }) => ({ path: { id } }))

/** The rooms that every board has had from the start. */
export const board: Readonly<Record<string, Scenario>> = {
  "agentStatus.get": just(),
  "agentStatus.report": just({
    body: { status: "working", activeAgents: [{ agent: "codex", status: "working", taskTitle: "Docs" }] }
  }),
  "agentStatus.reportViolation": given(aTask, ({ id }) => ({
    body: { agent: "lead", taskId: id, action: "edited a file", details: { files: ["a.ts"] } }
  })),
  "checkpoints.save": given(aTask, ({ id }) => ({ path: { id }, body: { state: { step: 3 } } })),
  "checkpoints.resume": given(madeAt("checkpoint", { state: [1, null] }), ({ checkpoint }) => ({
    path: { id: checkpoint.taskId }
  })),
  "checkpoints.remove": given(madeAt("checkpoint", { state: null }), ({ checkpoint }) => ({
    path: { id: checkpoint.taskId }
  })),
  "comments.add": given(aTask, ({ id }) => ({ path: { id }, body: { text: "Looks good" } })),
  "comments.change": given(madeAt("comments", { text: "Looks god" }), ({ comments, id }) => ({
    path: { id, commentId: comments[0].id },
    body: { text: "Looks good", revision: 1 }
  })),
  "comments.remove": given(madeAt("comments", { text: "Wrong task" }), ({ comments, id }) => ({
    path: { id, commentId: comments[0].id }
  })),
  "context.get": ofTask,
  "dependencies.list": given(aDependency, ({ id }) => ({ path: { id } })),
  "dependencies.add": (ask) =>
    Effect.map(Effect.all([aTask(ask), aTask(ask)]), ([task, other]) => ({
      path: { id: task.id },
      body: { dependsOn: other.id, direction: "blocks" }
    })),
  "dependencies.remove": given(aDependency, (path) => ({ path, query: "?direction=depends_on" })),
  "dependencies.graph": given(aDependency, ({ dependencyId }) => ({ path: { id: dependencyId } })),
  "dependencies.blockingStatus": given(aDependency, ({ id }) => ({ path: { id } })),
  "imports.importTasks": just({
    raw: '{"id":"LINE-1","title":"From a file"}',
    headers: { "content-type": "application/x-ndjson" }
  }),
  "imports.repairIds": just({ links: 0 }),
  "observations.createOnTask": given(aTask, ({ id }) => ({
    path: { id },
    body: { content: "The parser is slow", type: "insight", importance: 7, agent: "codex" }
  })),
  "observations.listOfTask": given(madeAt("observations", { content: "Seen" }), ({ taskId }) => ({
    path: { id: taskId },
    query: "?limit=10"
  })),
  "observations.removeFromTask": given(madeAt("observations", { content: "Seen" }), ({ id, taskId }) => ({
    path: { id: taskId, observationId: id }
  })),
  "observations.create": given(aTask, ({ id }) => ({ body: { taskId: id, content: "Seen" } })),
  "observations.list": given(madeAt("observations", { content: "Seen" }), () => ({ query: "?q=seen" })),
  "observations.search": given(madeAt("observations", { content: "A needle" }), () => ({
    query: "?query=needle&limit=5"
  })),
  "observations.remove": given(madeAt("observations", { content: "Seen" }), ({ id }) => ({
    path: { observationId: id }
  })),
  "progress.get": given(madeAt("progress/append", { text: "Half way" }), ({ taskId }) => ({
    path: { id: taskId }
  })),
  "progress.set": given(aTask, ({ id }) => ({ path: { id }, body: { content: "- [ ] Write it" } })),
  "progress.append": given(aTask, ({ id }) => ({
    path: { id },
    body: { text: "Half way", section: "Status" }
  })),
  "settings.features": just(),
  "settings.patchFeatures": just({ body: { darkMode: true, enforcement: { ceremonyDesignReview: "warn" } } }),
  "squad.post": given(aTask, ({ id }) => ({
    body: {
      agent: "codex",
      message: "@ann see this",
      taskId: id,
      tags: ["x"],
      mentions: [{ target: "bob", kind: "actor" }]
    }
  })),
  "squad.list": given(aMessage, () => ({ query: "?limit=5&includeSystem=true" })),
  "squad.search": given(aMessage, () => ({ query: "?q=done" })),
  "squad.unread": given(aMessage, () => ({ query: "?actor=ann" })),
  "squad.read": given(aMessage, ({ id }) => ({ body: { actor: "ann", messageId: id } })),
  "squad.thread": given(aMessage, ({ id }) => ({ path: { messageId: id } })),
  "squad.pin": given(aMessage, ({ id }) => ({ path: { messageId: id }, body: { pinned: true } })),
  "squad.react": given(aMessage, ({ id }) => ({
    path: { messageId: id },
    body: { actor: "ann", reaction: "+1" }
  })),
  "squad.notifications": given(aNotification, () => ({ query: "?actor=ann" })),
  "squad.readNotification": given(aNotification, ({ id }) => ({ path: { id } })),
  "tasks.list": given(aTask, () => ({ query: "?status=todo,done&agent=codex&limit=5" })),
  "tasks.counts": just(),
  "tasks.create": just({
    body: {
      title: "Everything at once",
      status: "blocked",
      priority: "high",
      type: "bug",
      description: "A text",
      project: "core",
      assignee: "ann",
      agents: ["codex"],
      labels: ["docs"],
      reviewScores: { security: 10 },
      acceptanceCriteria: [{ text: "It is done", done: false }],
      externalWorkItems: [{ provider: "github", repository: "acme/board", number: 7 }],
      git: { branch: "main", pr: { repository: "acme/board", number: 8 } }
    }
  }),
  "tasks.get": ofTask,
  "tasks.patch": given(aTask, ({ id }) => ({
    path: { id },
    headers: { "if-match": `"task:${id}:1"` },
    body: { title: "Better", status: "in-progress", description: null, reviewScores: { performance: 9 } }
  })),
  "tasks.remove": given(aTask, ({ id }) => ({ path: { id }, headers: { "x-resource-revision": "1" } })),
  "tasks.reorder": (ask) =>
    Effect.map(Effect.all([aTask(ask), aTask(ask)]), ([one, other]) => ({
      body: { taskIds: [other.id, one.id] }
    })),
  "tasks.move": given(aTask, ({ id, position }) => ({
    path: { id },
    headers: { "x-resource-revision": "1" },
    body: {
      operationId: "0198c5a0-0000-4000-8000-000000000001",
      sourceStatus: "todo",
      sourcePosition: position,
      destinationStatus: "done",
      destinationIndex: 0
    }
  })),
  "tasks.bulkUpdate": given(aTask, ({ id }) => ({
    body: { taskIds: [id, "unknown"], updates: { priority: "low" } }
  })),
  "tasks.bulkArchiveByIds": given(aTask, ({ id }) => ({ body: { taskIds: [id] } })),
  "tasks.archive": ofTask,
  "tasks.restore": given(anArchivedTask, ({ id }) => ({ path: { id } })),
  "tasks.demote": ofTask,
  "tasks.promote": given(made("/api/tasks", { title: "Later", status: "backlog" }), ({ id }) => ({
    path: { id }
  })),
  "telemetry.record": just({
    body: { type: "run.completed", taskId: "t", agent: "codex", durationMs: 12.5, success: true }
  }),
  "telemetry.recordAll": just({
    body: { events: [{ type: "run.tokens", taskId: "t", model: "m", inputTokens: 5, cost: 0.01 }] }
  }),
  "telemetry.list": just({ query: "?type=run.tokens&limit=2" }),
  "telemetry.listOfTask": just({ path: { taskId: "t" } }),
  "telemetry.status": just(),
  "telemetry.count": just({ query: "?taskId=t" }),
  "telemetry.export": just({ query: "?format=json" }),
  "templates.list": given(aTemplate("To list"), () => ({})),
  "templates.create": just({ body: { name: "Chore", fields: { priority: "low" } } }),
  "templates.get": given(aTemplate("To read"), ({ id }) => ({ path: { id } })),
  "templates.patch": given(aTemplate("To change"), ({ id }) => ({
    path: { id },
    headers: { "if-match": `"template:${id}:1"` },
    body: { name: "Changed", fields: { type: null } }
  })),
  "templates.remove": given(aTemplate("To remove"), ({ id }) => ({ path: { id } })),
  "templates.apply": (ask) =>
    Effect.map(Effect.all([aTask(ask), aTemplate("To apply")(ask)]), ([task, template]) => ({
      path: { id: task.id },
      body: { templateId: template.id }
    })),
  "time.summary": just(),
  "time.start": ofTask,
  "time.stop": given(madeAt("time/start", {}), ({ id }) => ({ path: { id } })),
  "time.addEntry": given(aTask, ({ id }) => ({
    path: { id },
    body: { durationMs: 60_000, description: "Reading" }
  })),
  "time.removeEntry": given(madeAt("time/entry", { durationMs: 60_000 }), ({ id, timeTracking }) => ({
    path: { id, entryId: timeTracking.entries[0].id }
  }))
}
