import { Schema } from "effect"
import { kept } from "../Incoming.ts"

/** The longest name of a branch, in bytes: with its folder it fits every file system. */
const longest = 200

/** What git forbids anywhere in a name (git-check-ref-format): control characters, space and `~ ^ : ? * [ \`. */
const forbidden = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?=\/|$)/u

/**
 * True for the canonical name of a branch. Stricter than git: it refuses names that could be taken for something else:
 * options, `HEAD`, full refs and commit ids.
 */
export const isBranchName = (name: string): boolean =>
  name !== "" &&
  Buffer.byteLength(name) <= longest &&
  name.isWellFormed() &&
  !forbidden.test(name) &&
  !/^[-./]|[./]$/.test(name) &&
  !/^(?:@|HEAD|refs\/.*)$/.test(name) &&
  !isCommitId(name)

/** True for the full id of a commit, of SHA-1 or SHA-256. */
export const isCommitId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The name of a branch, without `refs/heads/`. */
export const BranchName = Schema.String.pipe(
  Schema.filter(isBranchName, {
    message: () => "Expected a branch name that git takes, of at most 200 bytes",
    jsonSchema: { minLength: 1, maxLength: longest }
  }),
  kept("It has to name a branch of the repository, which shows its branches to everybody who has it.")
)

/** The full id of a commit. */
export const CommitId = Schema.String.pipe(
  Schema.pattern(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, {
    message: () => "Expected the full id of a commit: 40 hex digits"
  }),
  kept("The digits of a commit's id are no secret.")
).annotations({ identifier: "CommitId", description: "The full id of a commit" })
