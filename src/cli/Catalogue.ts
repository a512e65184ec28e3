import type { Command } from "@effect/cli/Command"
import type { ValidationError } from "@effect/cli/ValidationError"
import type { Exit } from "./Answer.ts"
import type { Listed } from "./help/Overview.ts"
import { type Loaded, loaded, type Needs } from "./LoadedCommand.ts"

/** A command and how to load it: whoever runs one does not wait for the others. */
export interface Entry extends Listed {
  readonly load: () => Promise<Loaded>
}

const entry = <Name extends string, A>(
  section: string,
  name: Name,
  says: string,
  load: () => Promise<Command<Name, Needs, Exit | ValidationError, A>>
): Entry => ({ name, section, says, load: async () => loaded(name, says, await load()) })

/** All commands, in the order in which they are shown. */
export const catalogue: ReadonlyArray<Entry> = [
  entry(
    "Work on tasks",
    "next",
    "Find the task to work on next, and why; with --claim, take it.",
    async () => (await import("./commands/board/Next.ts")).next
  ),
  entry(
    "Work on tasks",
    "begin",
    "Start work on a task: it is yours, in progress, and timed.",
    async () => (await import("./commands/board/Work.ts")).begin
  ),
  entry(
    "Work on tasks",
    "done",
    "Complete a task, when the gates of the board agree.",
    async () => (await import("./commands/board/Work.ts")).done
  ),
  entry(
    "Work on tasks",
    "block",
    "Say that a task can't go on; its timer stops.",
    async () => (await import("./commands/board/Work.ts")).block
  ),
  entry(
    "Work on tasks",
    "unblock",
    "Go on with a blocked task; its timer runs again.",
    async () => (await import("./commands/board/Work.ts")).unblock
  ),
  entry(
    "Work on tasks",
    "comment",
    "Add a comment to a task.",
    async () => (await import("./commands/board/Tasks.ts")).comment
  ),
  entry(
    "Work on tasks",
    "time",
    "The time spent on a task: time show ID.",
    async () => (await import("./commands/board/Time.ts")).time
  ),
  entry(
    "Work on tasks",
    "run",
    "Agents at work: start, status, log, message, stop, result.",
    async () => (await import("./commands/runs/Run.ts")).run
  ),
  entry(
    "Work on tasks",
    "worktree",
    "The worktree of a task: create, status, rebase, merge, remove.",
    async () => (await import("./commands/board/Worktree.ts")).worktree
  ),
  entry(
    "Look at the board",
    "list",
    "List the tasks of the board, column by column.",
    async () => (await import("./commands/board/Tasks.ts")).list
  ),
  entry(
    "Look at the board",
    "show",
    "Show a task.",
    async () => (await import("./commands/board/Tasks.ts")).show
  ),
  entry(
    "Look at the board",
    "search",
    "Find tasks, archived tasks and documents.",
    async () => (await import("./commands/board/Search.ts")).search
  ),
  entry(
    "Look at the board",
    "watch",
    "Follow the board live: tasks that change, what the squad says.",
    async () => (await import("./commands/board/Watch.ts")).watch
  ),
  entry(
    "Look at the board",
    "admission",
    "Which runs have room, which wait, and why: admission cancel.",
    async () => (await import("./commands/board/Admission.ts")).admission
  ),
  entry(
    "Look at the board",
    "analytics",
    "How the work goes: what was completed, how fast, what is stuck.",
    async () => (await import("./commands/board/Analytics.ts")).analytics
  ),
  entry(
    "Fill the board",
    "create",
    "Add a task to the end of its column.",
    async () => (await import("./commands/board/Tasks.ts")).create
  ),
  entry(
    "Fill the board",
    "import",
    "Bring tasks from a file of another board, each of them once.",
    async () => (await import("./commands/board/Import.ts")).importCommand
  ),
  entry(
    "Agents and people",
    "approvals",
    "List what runs ask people for, and until when; approve, reject.",
    async () => (await import("./commands/people/Approvals.ts")).approvals
  ),
  entry(
    "Agents and people",
    "mcp",
    "Serve the board's tools to an agent, on stdin and stdout (MCP).",
    async () => (await import("./commands/people/Mcp.ts")).mcp
  ),
  entry(
    "Agents and people",
    "agents",
    "The agents of the board, configured and registered.",
    async () => (await import("./commands/people/Agents.ts")).agents
  ),
  entry(
    "Agents and people",
    "key",
    "Keys of agents and scripts: create, list, revoke.",
    async () => (await import("./commands/people/Key.ts")).key
  ),
  entry(
    "Agents and people",
    "pair",
    "Let a phone, a desktop or a web app in: the link that pairs it.",
    async () => (await import("./commands/people/Pair.ts")).pair
  ),
  entry(
    "Agents and people",
    "workspaces",
    "List the workspaces and your roles; members, invite, switch.",
    async () => (await import("./commands/people/Workspaces.ts")).workspaces
  ),
  entry(
    "Agents and people",
    "chat",
    "Chat sessions with agents: send, sessions, history.",
    async () => (await import("./commands/people/Chat.ts")).chat
  ),
  entry(
    "Other services",
    "hooks",
    "The webhooks of the board: list, add, remove, executions, fire.",
    async () => (await import("./commands/services/Hooks.ts")).hooks
  ),
  entry(
    "Other services",
    "trackers",
    "Tasks as issues elsewhere: status, introspect, profiles, create.",
    async () => (await import("./commands/services/Trackers.ts")).trackers
  ),
  entry(
    "Other services",
    "relay",
    "The squad chat at a relay: status, map, send, poll, deliveries.",
    async () => (await import("./commands/services/Relay.ts")).relay
  ),
  entry(
    "Keep it healthy",
    "doctor",
    "Find out what keeps the board from working.",
    async () => (await import("./commands/upkeep/Doctor.ts")).doctor
  ),
  entry(
    "Keep it healthy",
    "backup",
    "Save a copy of the whole board, while the server runs.",
    async () => (await import("./commands/upkeep/Backup.ts")).backup
  ),
  entry(
    "Keep it healthy",
    "restore",
    "Bring a backup back, while no server runs.",
    async () => (await import("./commands/upkeep/Restore.ts")).restore
  ),
  entry(
    "Keep it healthy",
    "audit",
    "The record of all that was done: audit verify checks it.",
    async () => (await import("./commands/upkeep/Audit.ts")).audit
  ),
  entry(
    "Keep it healthy",
    "reindex",
    "Read the documents again, so that search finds what changed.",
    async () => (await import("./commands/board/Search.ts")).reindex
  ),
  entry(
    "Keep it healthy",
    "completions",
    "Print a script that lets a shell complete commands and options.",
    async () => (await import("./commands/upkeep/Completions.ts")).completions
  )
]
