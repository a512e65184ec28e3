/**
 * A body for each operation that takes one in JSON, by operation id: what the page of the contract shows. Ids, tokens and
 * addresses in them are nobody's. A walk over the contract checks each against its schema.
 */
export const examples: Readonly<Record<string, unknown>> = {
  "agentProfiles.patch": {
    enabled: true
  },
  "agentStatus.report": {
    status: "working",
    activeAgents: [
      {
        agent: "codex",
        status: "working",
        taskTitle: "Docs"
      }
    ]
  },
  "agentStatus.reportViolation": {
    agent: "lead",
    taskId: "task_5d8v0kq2m1x7c9zr",
    action: "edited a file",
    details: {
      files: ["a.ts"]
    }
  },
  "ceremonies.create": {
    type: "failure-retrospective",
    taskId: "task_5d8v0kq2m1x7c9zr",
    runId: "run_1",
    participants: ["ann", "codex"]
  },
  "ceremonies.complete": {
    completedBy: "ann",
    artifacts: [
      {
        kind: "minutes",
        title: "What we said",
        body: "We keep it."
      }
    ],
    actionItems: [
      {
        title: "Write it down",
        priority: "high"
      }
    ]
  },
  "chat.send": {
    agent: "codex",
    message: "How far is the index?"
  },
  "checkpoints.save": {
    state: {
      step: 3
    }
  },
  "comments.add": {
    text: "Pasting tables and images works, also from a spreadsheet"
  },
  "comments.change": {
    text: "Looks good",
    revision: 1
  },
  "control.complete": {
    attemptId: "attempt_5d8v0kq2m1x7c9zr",
    providerRuntimeManifestDigest: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    success: true,
    summary: "The index is built once",
    verification: [
      {
        name: "npm test",
        status: "passed"
      }
    ]
  },
  "control.message": {
    attemptId: "attempt_5d8v0kq2m1x7c9zr",
    message: "Keep the old index until the new one is whole"
  },
  "control.stop": {
    attemptId: "attempt_5d8v0kq2m1x7c9zr"
  },
  "control.tokens": {
    attemptId: "attempt_5d8v0kq2m1x7c9zr",
    usage: {
      model: "m1",
      inputTokens: 1200,
      outputTokens: 300,
      cacheReadTokens: 9000,
      cost: 0.02
    }
  },
  "hosts.preview": {
    requiredRuntimeCapabilities: ["run.stop", "conversation.follow-up"]
  },
  "launch.preview": {
    agent: "codex",
    phase: "plan"
  },
  "launch.start": {
    agent: "codex",
    phase: "implement",
    commitPolicy: "required"
  },
  "registry.register": {
    id: "codex",
    name: "Codex on the build machine",
    model: "gpt-5",
    provider: "openai",
    capabilities: [{ name: "code", description: "Writes and reviews TypeScript" }],
    version: "1.4.0"
  },
  "recovery.cancel": {
    attemptId: "attempt_5d8v0kq2m1x7c9zr"
  },
  "registry.heartbeat": {
    status: "busy",
    currentTaskId: "task_5d8v0kq2m1x7c9zr",
    currentTaskTitle: "Write the release notes"
  },
  "config.putAgents": {
    agents: [
      {
        type: "codex",
        name: "Codex",
        provider: "app-server",
        enabled: true,
        command: "codex",
        args: ["app-server"],
        model: "gpt-5",
        passthroughEnv: ["OPENAI_API_KEY"]
      },
      {
        type: "elsewhere",
        name: "Works elsewhere",
        provider: "gateway",
        enabled: true
      }
    ]
  },
  "config.setDefaultAgent": {
    agent: "codex"
  },
  "dependencies.add": {
    dependsOn: "BACK-208",
    direction: "depends_on"
  },
  "next.claimNext": {
    agent: "codex",
    project: "editor",
    operationId: "2c7104b8-4345-4573-89e9-e56a636f1286"
  },
  "next.claim": {
    agent: "codex"
  },
  "observations.createOnTask": {
    content: "The parser is slow",
    type: "insight",
    importance: 7,
    agent: "codex"
  },
  "observations.create": {
    taskId: "task_5d8v0kq2m1x7c9zr",
    content: "Seen"
  },
  "progress.set": {
    content: "- [ ] Write it"
  },
  "progress.append": {
    text: "Half way",
    section: "Status"
  },
  "repos.add": {
    name: "editor",
    path: "/home/you/editor"
  },
  "repos.patch": {
    defaultBranch: "main"
  },
  "repos.validate": {
    path: "/home/you/editor"
  },
  "settings.patchFeatures": {
    darkMode: true,
    enforcement: {
      ceremonyDesignReview: "warn"
    }
  },
  "squad.post": {
    agent: "codex",
    message: "@ann the index is there",
    taskId: "task_5d8v0kq2m1x7c9zr"
  },
  "squad.read": {
    actor: "ann",
    messageId: "msg_3f8b1c2a9d4e7k0q"
  },
  "squad.pin": {
    pinned: true
  },
  "squad.react": {
    actor: "ann",
    reaction: "+1"
  },
  "tasks.create": {
    title: "Paste tables as Markdown",
    description: "A table from a spreadsheet becomes a Markdown table.",
    priority: "high",
    type: "code",
    project: "editor",
    assignee: "ann",
    labels: ["paste"],
    acceptanceCriteria: [
      {
        text: "Merged cells stay readable",
        done: false
      }
    ]
  },
  "tasks.patch": {
    status: "in-progress",
    reviewScores: {
      security: 10
    },
    description: null
  },
  "tasks.reorder": {
    taskIds: ["BACK-208", "task_5d8v0kq2m1x7c9zr"]
  },
  "tasks.move": {
    operationId: "0198c5a0-7a31-7c55-9b1e-3f0d5a7c2e11",
    sourceStatus: "todo",
    sourcePosition: 0,
    destinationStatus: "done",
    destinationIndex: 0
  },
  "tasks.bulkUpdate": {
    taskIds: ["task_5d8v0kq2m1x7c9zr", "BACK-208"],
    updates: {
      priority: "low"
    }
  },
  "tasks.bulkArchiveByIds": {
    taskIds: ["task_5d8v0kq2m1x7c9zr"]
  },
  "templates.create": {
    name: "Chore",
    fields: {
      priority: "low"
    }
  },
  "templates.patch": {
    name: "Changed",
    fields: {
      type: null
    }
  },
  "templates.apply": {
    templateId: "template_7c9zr1kv5d8v0kq2"
  },
  "time.addEntry": {
    durationMs: 60000,
    description: "Reading"
  },
  "worktrees.create": {},
  "watchdog.override": {
    attemptId: "attempt_5d8v0kq2m1x7c9zr",
    resolution: "continue",
    reason: "The build takes that long"
  },
  "worktrees.adopt": {
    path: "/home/you/editor-paste",
    branch: "paste-tables"
  },
  "worktrees.rebase": {},
  "worktrees.requestPullRequest": {
    base: "main"
  },
  "devices.createPairing": {
    deviceName: "Ann's phone",
    clientMode: "mobile",
    capabilities: ["notifications"],
    scopes: ["task:read"],
    role: "agent"
  },
  "devices.exchange": {
    payload: "http://localhost:3001/pair#eyJjbGllbnRJZCI6ImNsaWVudF8ifQ"
  },
  "invitations.create": {
    email: "new@example.com",
    role: "read-only"
  },
  "invitations.accept": {
    token: "muster_invite_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
  },
  "invitations.acceptNew": {
    token: "muster_invite_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    displayName: "Ann",
    email: "ann@example.com"
  },
  "members.switch": {
    workspaceId: "default"
  },
  "members.update": {
    role: "read-only"
  },
  "passwords.setup": {
    password: "a long sentence of yours",
    displayName: "Olga",
    email: "olga@example.com"
  },
  "passwords.login": {
    password: "a long sentence of yours"
  },
  "passwords.recover": {
    recoveryKey: "muster_recovery_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    newPassword: "another long sentence"
  },
  "passwords.change": {
    currentPassword: "a long sentence of yours",
    newPassword: "another long sentence"
  },
  "tokens.create": {
    name: "CI",
    role: "agent",
    scopes: ["task:read"],
    expiresAt: "2999-01-01T00:00:00Z"
  },
  "health.resetCircuit": {
    reason: "GitHub says so"
  },
  "health.overrideCircuit": {
    mode: "allow",
    reason: "GitHub says so",
    durationSeconds: 3600
  },
  "maintenance.previewJournal": {
    targetMode: "delete",
    singleHost: true,
    overrideReason: "The disk is shared soon",
    expiresAt: "2026-12-01T12:00:00.000Z"
  },
  "maintenance.applyJournal": {
    previewId: "preview_4x0q7c9zr1kv8w2m",
    previewToken: "the token of the preview, shown once",
    confirm: "preview_4x0q7c9zr1kv8w2m",
    acknowledgeRisks: true
  },
  "runApprovals.decide": {
    decision: "approved",
    expectedRevision: 1,
    expectedActionHash: "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    note: "For this branch alone"
  },
  "runApprovals.decidePermission": {
    decision: "rejected",
    note: "Ask again when the tests pass"
  },
  "search.search": {
    query: "write doc",
    limit: 5,
    collections: ["tasks-active"],
    backend: "auto"
  },
  "search.refresh": {
    embed: true
  },
  "telemetry.record": {
    type: "run.completed",
    taskId: "task_5d8v0kq2m1x7c9zr",
    agent: "codex",
    durationMs: 1250,
    success: true
  },
  "telemetry.recordAll": {
    events: [
      {
        type: "run.tokens",
        taskId: "task_5d8v0kq2m1x7c9zr",
        model: "a-model",
        inputTokens: 1200,
        cost: 0.01
      }
    ]
  },
  "communication.putAdapter": {
    kind: "relay",
    displayName: "Community",
    enabled: true,
    relayHttpUrl: "https://relay.example.org",
    publicKey: "9f2c000000000000000000000000000000000000000000000000000000000000",
    credentialRef: "env:RELAY_PRIVATE_KEY"
  },
  "communication.send": {
    target: {
      kind: "squad",
      squadMessageId: "msg_1"
    },
    message: "Hello",
    actor: "ann"
  },
  "communication.replies": {
    externalThreadId: "thread-1",
    externalReplyId: "reply-1",
    actor: "U1",
    displayName: "Ann Example",
    message: "Yes, please",
    target: {
      kind: "squad",
      squadMessageId: "msg_3f8b1c2a9d4e7k0q"
    }
  },
  "hooks.create": {
    name: "Tell the team",
    event: "task.completed",
    filter: {
      project: "docs"
    },
    action: {
      type: "webhook",
      url: "https://chat.example.com/hook",
      secretRef: "env:HOOK_KEY"
    },
    enabled: false
  },
  "hooks.patch": {
    name: "Tell them",
    filter: {}
  },
  "hooks.fire": {
    event: "run.started",
    payload: {
      test: true
    }
  },
  "relayChannels.put": {
    target: {
      kind: "squad"
    },
    enabled: true,
    actor: "bridge"
  },
  "relayDefinitions.preview": {
    coordinate: {
      authorPubkey: "74f2fe20fecd9d4275ccb0ed684cb402c969458f5f5a110fb1a5acc09b52ddac",
      kind: 30175,
      dTag: "scout"
    },
    action: "create"
  },
  "relayDefinitions.import": {
    coordinate: {
      authorPubkey: "74f2fe20fecd9d4275ccb0ed684cb402c969458f5f5a110fb1a5acc09b52ddac",
      kind: 30175,
      dTag: "scout"
    },
    action: "create",
    expectedEventId: "f7bf73f6d7e65d074827d0b23fe050e9843b1444a58462ca7f68c3255c1b1082",
    expectedLocalRevision: "5ad38304b535c2987dbd24657c1a11b884984ff600d9f389deb0d4e634fee792"
  },
  "relayTriggers.create": {
    mappingId: "map_2m1x7c9zr5d8v0kq",
    workflowId: "deploy",
    contentIncludes: "deploy"
  },
  "trackers.connect": {
    provider: "local",
    project: "demo",
    enabled: true
  },
  "trackers.introspect": {
    provider: "local",
    project: "demo"
  },
  "trackers.saveProfile": {
    id: "demo",
    name: "Demo",
    provider: "local",
    enabled: true,
    defaultWorkItemType: "Task",
    defaultProjectPath: "demo",
    defaultAreaPath: "demo/Product",
    defaultIterationPath: "demo/Now",
    fieldMappings: [
      {
        trackerFieldId: "title",
        source: "title",
        required: true
      },
      {
        trackerFieldId: "state",
        source: "literal",
        literalValue: "New"
      }
    ],
    backlinkFieldId: "backlink"
  },
  "trackers.preview": {
    taskId: "task_5d8v0kq2m1x7c9zr"
  },
  "trackers.create": {
    taskId: "task_5d8v0kq2m1x7c9zr",
    approvedBy: "Ann"
  }
}
