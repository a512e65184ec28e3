import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The files that take longest, so that none of them begins when the others are over. Vitest knows how long a file took
 * the last time; on a machine that never ran them it goes by their size, which says nothing of the servers they start.
 */
const longest: ReadonlyArray<string> = [
  "docs/Pages",
  "board/worktrees/KilledServer",
  "board/worktrees/Safety",
  "attack/Stream",
  "contract/AuthMatrix",
  "mcp/Stdio",
  "insight/audit/Restores",
  "integrations/trackers/Github",
  "insight/audit/AuditLog",
  "attack/Upgrades",
  "storage/place/Damage",
  "http/Stop",
  "conversations/relay/Crash",
  "contract/Scenarios",
  "conversations/bridge/History",
  "conversations/bridge/Reconnects",
  "Start",
  "crash/KillNine",
  "runs/WorkerDeath",
  "runs/Races",
  "runs/LateCallbacks",
  "board/imports/Imports",
  "conversations/outbox/Outgoing",
  "http/WebSocketResume",
  "kernel/Redaction",
  "offline/BackupAndRestore",
  "board/worktrees/Operations",
  "board/worktrees/Rebase",
  "board/worktrees/HostileGit",
  "board/worktrees/Lifecycle",
  "identity/Revocations",
  "identity/Passwords",
  "AuditOfWrites",
  "cli/Relay",
  "http/WebSocket",
  "contract/Fuzz",
  "insight/search/Semantic",
  "board/agents-config/AgentsConfig",
  "cli/Work"
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((file) => moduleId.endsWith(`/test/${file}.test.ts`))
  return rank === -1 ? longest.length : rank
}

/** Begins with the longest files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other))
  }
}
