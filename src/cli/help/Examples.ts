import { HelpDoc } from "@effect/cli"
import { importFields } from "../board/imports/ImportFields.ts"

/** Command lines to copy, by the command that they show. */
const examples: Readonly<Record<string, ReadonlyArray<string>>> = {
  next: ["next", "next --claim", "next --project web --type bug --json"],
  begin: ["begin task_5d8v0kq2m1x7c9zr", "begin task_5d8v0kq2m1x7c9zr --take-over"],
  done: [
    "done task_5d8v0kq2m1x7c9zr",
    'done task_5d8v0kq2m1x7c9zr --summary "Added the index" --lessons "Measure first"'
  ],
  block: ['block task_5d8v0kq2m1x7c9zr --reason "Waiting for the schema"'],
  unblock: ["unblock task_5d8v0kq2m1x7c9zr"],
  time: ["time show task_5d8v0kq2m1x7c9zr"],
  list: [
    "list",
    "list --status in-progress --status blocked",
    "list --mine",
    "list --agent codex --limit 5 --json"
  ],
  show: ["show task_5d8v0kq2m1x7c9zr", "show BACK-118 --json"],
  search: [
    "search paste markdown",
    "search login --collection tasks-archive --limit 5",
    "search backup --json"
  ],
  create: [
    "create Write the release notes",
    "create --priority high --type docs --label release Write the release notes"
  ],
  comment: ["comment task_5d8v0kq2m1x7c9zr The index halves the time of a search"],
  chat: [
    "chat send --agent codex How far is the index?",
    "chat sessions",
    "chat history chat_5d8v0kq2m1x7c9zr --limit 20"
  ],
  watch: ["watch", "watch --json"],
  analytics: ["analytics", "analytics --period 2w --json"],
  import: ["import backlog.jsonl", "import backlog.jsonl --json", "import - < backlog.jsonl"],
  hooks: [
    "hooks list",
    'hooks add "Tell the team" --event task.status.changed --new-status done --url https://chat.example/hook',
    "hooks fire --hook hook_5d8v0kq2m1x7c9zr",
    "hooks executions --status failed"
  ],
  trackers: [
    "trackers status",
    "trackers introspect github acme/board",
    "trackers create task_5d8v0kq2m1x7c9zr --profile issues --dry-run",
    "trackers create task_5d8v0kq2m1x7c9zr --profile issues --approved-by Ann"
  ],
  relay: [
    "relay status",
    "relay map 3f8b1c2a-9d4e-4f60-8a71-5b2c3d4e5f60",
    "relay send The build is green again",
    "relay send --reply-to msg_5d8v0kq2m1x7c9zr --as ann On it",
    "relay poll",
    "relay deliveries --status failed --limit 50"
  ],
  reindex: ["reindex", "reindex --embed"],
  audit: ["audit verify", "audit verify --json"],
  backup: ["backup board-2026-11-21.db"],
  restore: ["restore board-2026-11-21.db"],
  workspaces: [
    "workspaces",
    "workspaces members",
    "workspaces invite ann@example.com --role agent",
    "workspaces switch default"
  ],
  pair: [
    "pair Kitchen tablet",
    "pair Board --mode desktop --role read-only",
    "pair Wall --mode pwa --scope task:read"
  ],
  mcp: ["mcp", "mcp config claude-code > .mcp.json", "mcp config cursor", "mcp config vscode"],
  doctor: ["doctor", "doctor --json", "doctor --repair-ids"]
}

/** What a command has to be known for beside its description. */
const notes: Readonly<Record<string, ReadonlyArray<string>>> = {
  begin: [
    "The task is yours then: you are its assignee. One that is somebody else's is a conflict, which names who has it; to",
    "begin what is yours already changes nothing."
  ],
  done: ["A task that is done already stays as it is, whatever --summary and --lessons say."],
  import: [
    "Needs an admin key. Lines that can't be tasks are listed, the others go on, and the exit code is 1.",
    "A line is a JSON object in UTF-8. It needs title; it may have",
    ...importFields.map(({ meaning, names }) => `  ${names.join(", ")}: ${meaning}`),
    "Other fields are left out, and named."
  ],
  hooks: ["Adding, removing and firing need a key that may write settings."],
  trackers: ["Everything but status, profiles and --dry-run needs a key that may write settings."],
  relay: [
    "Mapping, sending and polling need a key that may write settings. status exits with 1 unless every relay that is",
    "switched on is healthy, and the named one in any case. send exits with 0 when the message has arrived, 6 while it may",
    "still arrive (queued or uncertain), 5 when it did not; poll does the same for what it has looked at."
  ],
  search: [
    "Case and accents do not count. What has all of the words comes first, then that in which the last one begins a word."
  ],
  reindex: [
    "Needs an admin key. Tasks are in the index as soon as they are written; this reads the documents again."
  ],
  audit: ["Needs an admin key. The exit code is 1 when the chain is not what was written."],
  backup: [
    "Needs an admin key. The board goes on while it is copied; where no server runs on this machine, the file is copied",
    "as it lies in SERVICE_DATA_DIR. The copy is checked before it gets its name. Keys that the first start generated",
    "stay in the data directory: a backup holds hashes of credentials and no credential."
  ],
  restore: [
    "Works on the files of SERVICE_DATA_DIR while no server does. The backup is checked first: a damaged one, and one of",
    "a later version, changes nothing. The board that was there before is kept, and the answer tells where."
  ],
  pair: ["Needs an admin key. The link counts for five minutes, for one device."],
  mcp: [
    "A program that works with an agent starts it; config prints what such a program needs to know. Set SERVICE_API_KEY",
    "to a key with the role agent. The tools are there while the server is not: then a call says how to start it."
  ],
  watch: [
    "With --json it prints a JSON object a line, as the server sends them; kinds that this version does not know come too.",
    "A connection that breaks is made again and goes on after the last message."
  ],
  doctor: [
    "Looks at Node, SQLite, git, the variables, the address, the clock, health, the key and its file, the data directory, a second server,",
    "tasks that share an identity, and with an admin key the database, the circuits of outbound calls and the workers.",
    "The exit code is 1 when a check fails."
  ]
}

const overview = ["list", "begin task_5d8v0kq2m1x7c9zr", "doctor"]

const lines = (...all: ReadonlyArray<string>) => HelpDoc.p(all.join("\n"))

/** What stands below every help: what else to know, examples for the command that was asked about, the environment, the exit codes. */
export const footer = (argv: ReadonlyArray<string>): HelpDoc.HelpDoc => {
  const command = argv[2] ?? ""
  const known = notes[command]
  return HelpDoc.blocks([
    ...(known === undefined ? [] : [lines(...known)]),
    HelpDoc.h1("EXAMPLES"),
    lines(...(examples[command] ?? overview).map((example) => `  $ muster ${example}`)),
    HelpDoc.h1("ENVIRONMENT"),
    lines(
      "  SERVICE_API_URL   base address of the server; default http://localhost:3001, or the port of SERVICE_PORT",
      "                    or PORT",
      "  SERVICE_API_KEY   key for the server; without it, and for a server on this machine, SERVICE_ADMIN_KEY, else the",
      "                    admin-key file in SERVICE_DATA_DIR (default ./data), else in data beside the installed package",
      "  NO_COLOR          no colours when set",
      "  A .env in the working directory gives those that the environment does not."
    ),
    HelpDoc.h1("EXIT CODES"),
    lines(
      "  0  it is done, also when there was nothing to do",
      "  1  something unexpected; a check of the doctor, a line of an import, the audit or a relay failed",
      "  2  usage: the command, the environment, a file or a value is wrong",
      "  3  authentication or permission",
      "  4  not found",
      "  5  conflict, or a gate said no",
      "  6  the server is unavailable"
    )
  ])
}
