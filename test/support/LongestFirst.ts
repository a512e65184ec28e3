import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * The files that take longest, so that none of them begins when the others are over. Vitest knows how long a file took
 * the last time; on a machine that never ran them it goes by their size, which says nothing of the servers they start.
 */
const longest: ReadonlyArray<string> = [
  "board/worktrees/KilledServer",
  "board/worktrees/Safety",
  "conversations/relay/Crash",
  "attack/Stream",
  "kernel/Redaction",
  "insight/audit/Restores",
  "insight/audit/AuditLog",
  "attack/Upgrades",
  "http/Stop",
  "Start",
  "crash/KillNine",
  "storage/Damage",
  "mcp/Stdio",
  "cli/Relay",
  "conversations/bridge/History",
  "integrations/trackers/Github",
  "contract/AuthMatrix",
  "cli/Binary",
  "board/agents-config/AgentsConfig",
  "board/worktrees/Rebase",
  "offline/BackupAndRestore",
  "cli/Work",
  "conversations/outbox/Outgoing",
  "board/worktrees/Operations",
  "identity/Revocations",
  "http/WebSocketResume"
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
