import { isAbsolute } from "node:path"
import { Schema } from "effect"
import { BranchName } from "../../kernel/git/RefName.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { kept, openly } from "../../kernel/Incoming.ts"
import { everyIssue, text } from "../../kernel/Text.ts"

/** The most repositories that a board knows. */
export const repoLimit = 200

/** The name by which tasks call a repository: `task.git.repo`. */
export const RepoName = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
    message: () => "Expected 1 to 100 letters, digits, dots, dashes and underscores"
  }),
  openly()
)

/** A name as it comes in a path: whatever it is, an unknown one is a 404. */
export const RepoNameParam = IdParam.annotations({ description: "The name of a repository" })

const path = text(1_000, kept("It has to lead to a directory of the server, as it is."))

/** Where a repository lies on the machine of the server. */
export const RepoPath = path.pipe(
  Schema.filter((path) => isAbsolute(path) && !/\p{Cc}/u.test(path), {
    message: () => "Expected an absolute path on the machine of the server",
    jsonSchema: {}
  })
)

/** A repository that tasks may have worktrees of (decision Q32). */
export const Repo = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  defaultBranch: Schema.String.annotations({
    description: "The branch that new worktrees start from when the task names no base"
  })
}).annotations({ identifier: "Repo" })
export type Repo = typeof Repo.Type

/** The body of an addition. Without a default branch it is `main`. */
export const RepoDraft = Schema.Struct({
  name: RepoName,
  path: RepoPath,
  defaultBranch: Schema.optionalWith(BranchName, { exact: true })
}).annotations({ identifier: "RepoDraft", ...everyIssue })
export type RepoDraft = typeof RepoDraft.Type

/** The body of a change: what it names is replaced. */
export const RepoPatch = Schema.Struct({
  name: Schema.optionalWith(RepoName, { exact: true }),
  path: Schema.optionalWith(RepoPath, { exact: true }),
  defaultBranch: Schema.optionalWith(BranchName, { exact: true })
}).annotations({ identifier: "RepoPatch", ...everyIssue })
export type RepoPatch = typeof RepoPatch.Type

/** The body of a validation: the same as of an addition, though the name may be missing or taken. */
export const RepoCandidate = Schema.Struct({
  name: Schema.optionalWith(text(200), { exact: true }),
  path,
  defaultBranch: Schema.optionalWith(text(255), { exact: true })
}).annotations({ identifier: "RepoCandidate", ...everyIssue })
export type RepoCandidate = typeof RepoCandidate.Type

/** Whether worktrees can be made of a repository; the branches are those that are there. */
export const RepoVerdict = Schema.Struct({
  valid: Schema.Boolean,
  branches: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  errors: Schema.Array(Schema.String)
}).annotations({ identifier: "RepoVerdict" })
export type RepoVerdict = typeof RepoVerdict.Type
