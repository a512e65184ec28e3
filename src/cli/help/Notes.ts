import { importFields } from "../../board/imports/ImportFields.ts"
import { hanging, paragraph } from "./Layout.ts"

/** Notes on a command beside its description, by its first word: a group has one for all of its commands. */
const notes: Readonly<Record<string, string>> = {
  begin: paragraph(
    "You become its assignee. A task of somebody else's is a conflict that says who has it; to begin your own task again changes nothing."
  ),
  done: paragraph("A task that is already done stays as it is, whatever --summary and --lessons say."),
  import: [
    paragraph(
      "Needs an admin key. Lines that can't be tasks are listed, the others go on, and the exit code is 1. A line is a JSON object in UTF-8. It needs title; it may have"
    ),
    ...importFields.map(({ meaning, names }) => hanging(`  ${names.join(", ")}: `, meaning)),
    "Other fields are ignored, and listed."
  ].join("\n"),
  hooks: paragraph("Adding, removing and firing need a key that may write settings."),
  trackers: paragraph("Everything but status, profiles and --dry-run needs a key that may write settings."),
  relay: paragraph(
    "Mapping, sending and polling need a key that may write settings. status exits with 1 unless every relay that is switched on is healthy, and the named one in any case. send exits with 0 when the message has arrived, 6 while it may still arrive (queued or uncertain), 5 when it did not; poll does the same for what it has looked at."
  ),
  admission: paragraph(
    "How much may run at once is set under features.admission (PATCH /api/settings/features). The place in the queue is that of now: a more urgent run comes before. cancel needs a key that may write agents; one that has started is a conflict."
  ),
  run: paragraph(
    "A task has one run at a time; the attempt is looked up, and --attempt binds a command to exactly one. A run that finds no room waits in the queue and begins by itself. result exits with 0 for a success and with 1 for every other end (partial, blocked, failed, interrupted), and so does log --follow; 5 when there is no result yet. With --json, log --follow prints an event a line, and at last {ended: {taskId, attemptId, status}}. Stopping, starting and messages need a key that may write tasks."
  ),
  worktree: paragraph(
    "Worktrees lie on the machine of the server, in repositories that an administrator named there. The work in one that is removed by force is saved under a ref, which the answer names. What can't be done now is a conflict that says why."
  ),
  search: paragraph(
    "Case and accents do not count. Texts with all of the words come first, then those in which the last one is the beginning of a word."
  ),
  reindex: paragraph(
    "Needs an admin key. Tasks are in the index as soon as they are written; this reads the documents again."
  ),
  audit: paragraph("Needs an admin key. The exit code is 1 when the chain is not what was written."),
  backup: paragraph(
    "Needs an admin key. The board goes on while it is copied; where no server runs on this machine, the file is copied as it lies in SERVICE_DATA_DIR. The copy is one file with the bytes of all blobs, and is checked before it gets its name; where a blob was damaged already, the copy lacks it, the answer names it, and the exit code is 1. Keys that the first start generated stay in the data directory: a backup holds hashes of credentials and no credential."
  ),
  restore: paragraph(
    "Works on the files of SERVICE_DATA_DIR while no server does. The backup is checked first: a damaged one, or one of a later version, is refused. The board that was there before is kept, and the answer tells where; its blobs are beside it, in a directory with -blobs at the end of its name."
  ),
  key: paragraph(
    "Needs an admin key. A program takes its key from SERVICE_API_KEY; what it does on the board bears the name of the key."
  ),
  pair: paragraph("Needs an admin key. The link is valid for five minutes, for one device."),
  approvals: paragraph(
    "Deciding needs an admin key. What is approved happens once, and not after it has expired; what nobody decides expires, and the agent hears that nobody answered, not that it was refused. The exit code is 5 when an approval was decided before, has expired, or belongs to a run that is over."
  ),
  mcp: paragraph(
    "A program that works with an agent starts it; config prints what such a program needs to know. Set SERVICE_API_KEY to a key with the role agent. The tools are listed even while the server is down: a call then says how to start it. --tools runs adds tools to start, watch and complete runs."
  ),
  watch: paragraph(
    "With --json it prints each message as the server sends it, a JSON object a line; kinds that this version does not know come too. It reconnects by itself and goes on after the last message."
  ),
  completions: paragraph(
    "bash reads the file of the example by itself; in zsh, source it from .zshrc after compinit; fish finds it by itself."
  ),
  doctor: paragraph(
    "Looks at Node, SQLite, git, the variables, the address, the clock, health, the key and its file, the data directory, a second server, tasks that share an identity, and with an admin key the database, the circuits of outbound calls and the workers. The exit code is 1 when a check fails."
  )
}

/** The note on a command. */
export const noteOf = ([name = ""]: ReadonlyArray<string>): string | undefined => notes[name]
