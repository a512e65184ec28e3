import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Duration, Effect, Option } from "effect"
import { TasksApi } from "../../../board/tasks/Api.ts"
import { WorktreesApi } from "../../../board/worktrees/Api.ts"
import type { RemovalQuery } from "../../../board/worktrees/Requests.ts"
import { Client, type GroupClient } from "../../../client/Client.ts"
import { BranchName } from "../../../kernel/git/RefName.ts"
import { nonBlank } from "../../../kernel/Text.ts"
import { type Answer, ask } from "../../Answer.ts"
import { id, json, limitUpTo, optionOf } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"
import { candidateTable, removedText, worktreeName, worktreeText } from "../../text/WorktreeText.ts"

/*
 * The worktree of a task: create, status, rebase, merge, pull-request, remove, stale.
 */

type Worktrees = GroupClient<typeof WorktreesApi>

/** Asks for something about worktrees, and says what was found. */
const looked = <A, E, R>(
  request: (client: Worktrees) => Effect.Effect<A, E, R>,
  told: (found: A, paint: Paint) => string,
  patience?: Duration.Duration
) =>
  Effect.map(
    Effect.flatMap(Client, ({ call }) => call(WorktreesApi, request, patience)),
    (found): Answer => ({ json: found, text: (paint) => told(found, paint) })
  )

/** Has something done with a worktree, and says what came of it. Git fetches and pushes meanwhile. */
const done = <A, E, R>(
  request: (client: Worktrees) => Effect.Effect<A, E, R>,
  told: (found: A, paint: Paint) => string
) => looked(request, told, Duration.minutes(5))

const option = (name: string, pseudo: string, says: string) =>
  Options.text(name).pipe(Options.withPseudoName(pseudo), Options.withDescription(says))

const repo = option(
  "repo",
  "NAME",
  "The repository, by its name on the board; without it that of the task"
).pipe(optionOf("--repo", nonBlank(200)), Options.optional)

const base = option(
  "base",
  "BRANCH",
  "The branch to begin from; without it that of the task or repository"
).pipe(optionOf("--base", BranchName), Options.optional)

const stale = option(
  "stale-because",
  "REASON",
  "Begin from the last known commit when origin is away, and why"
).pipe(optionOf("--stale-because", nonBlank(2_000)), Options.optional)

/** Chooses for a task what its worktree is made of. */
const choose = (taskId: string, git: { readonly repo?: string; readonly baseBranch?: string }) =>
  Object.keys(git).length === 0
    ? Effect.void
    : Effect.flatMap(Client, ({ call }) =>
        call(TasksApi, ({ tasks }) => tasks.patch({ path: { id: taskId }, headers: {}, payload: { git } }))
      )

const create = Command.make("create", { id, repo, base, stale, json }, (given) => {
  const git = {
    ...(Option.isNone(given.repo) ? {} : { repo: given.repo.value }),
    ...(Option.isNone(given.base) ? {} : { baseBranch: given.base.value })
  }
  const payload = Option.match(given.stale, {
    onNone: () => ({}),
    onSome: (reason) => ({ allowStaleBase: true, staleBaseAcknowledgement: { reason } })
  })
  const made = done(
    ({ worktrees }) => worktrees.create({ path: { id: given.id }, headers: {}, payload }),
    worktreeText
  )
  return ask(given.json, Effect.zipRight(choose(given.id, git), made))
}).pipe(Command.withDescription("Make a worktree for a task, on a branch of its own."))

const status = Command.make("status", { id, json }, (given) =>
  ask(
    given.json,
    looked(({ worktrees }) => worktrees.status({ path: { id: given.id } }), worktreeText)
  )
).pipe(Command.withDescription("Show a worktree, and what its removal would meet."))

const rebase = Command.make("rebase", { id, json }, (given) =>
  ask(
    given.json,
    done(
      ({ worktrees }) => worktrees.rebase({ path: { id: given.id }, headers: {}, payload: {} }),
      ({ manifest, onto, rebased }, paint) =>
        rebased
          ? `${paint.green("Rebased")} ${worktreeName(manifest, paint)} onto ${onto}`
          : `Up to date: ${worktreeName(manifest, paint)} contains ${onto}`
    )
  )
).pipe(Command.withDescription("Bring a worktree onto its base as origin has it now."))

const merge = Command.make("merge", { id, json }, (given) =>
  ask(
    given.json,
    done(
      ({ worktrees }) => worktrees.merge({ path: { id: given.id }, headers: {} }),
      ({ baseBranch, commit, fastForward, manifest }, paint) => {
        const how = fastForward ? "by fast-forward" : "by a merge"
        return `${paint.green("Merged")} ${worktreeName(manifest, paint)} into ${baseBranch} ${how}: ${commit}`
      }
    )
  )
).pipe(Command.withDescription("Bring the commits of a worktree into its base at origin."))

const pullRequest = Command.make("pull-request", { id, json }, (given) =>
  ask(
    given.json,
    done(
      ({ worktrees }) => worktrees.requestPullRequest({ path: { id: given.id }, headers: {}, payload: {} }),
      ({ manifest, pullRequest: { compareUrl } }, paint) =>
        [
          `${paint.green("Pushed")} ${worktreeName(manifest, paint)}`,
          compareUrl === undefined
            ? "Open the pull request at the code host."
            : `Open the pull request: ${compareUrl}`
        ].join("\n")
    )
  )
).pipe(Command.withDescription("Push the branch of a worktree, for a pull request by a person."))

const force = option(
  "force-because",
  "REASON",
  "Go past what stands against it, and why; needs an admin key"
).pipe(optionOf("--force-because", nonBlank(2_000)), Options.optional)

const remove = Command.make("remove", { id, force, json }, (given) => {
  const urlParams: typeof RemovalQuery.Type = Option.match(given.force, {
    onNone: () => ({}),
    onSome: (reason) => ({ force: true, reason })
  })
  return ask(
    given.json,
    done(
      ({ worktrees }) => worktrees.remove({ path: { id: given.id }, headers: {}, urlParams }),
      ({ manifest, removal }, paint) => removedText(manifest, removal, paint)
    )
  )
}).pipe(Command.withDescription("Remove a worktree; what no commit holds is saved first."))

const limit = limitUpTo(1_000, "At most this many, 1 to 1000; 20 without it").pipe(Options.withDefault(20))

const unused = Command.make("stale", { limit, json }, (given) =>
  ask(
    given.json,
    looked(({ worktrees }) => worktrees.candidates({ urlParams: { limit: given.limit } }), candidateTable)
  )
).pipe(Command.withDescription("List the worktrees that nobody has touched for a week."))

export const worktree = Command.make("worktree").pipe(
  Command.withSubcommands([create, status, rebase, merge, pullRequest, remove, unused])
)
