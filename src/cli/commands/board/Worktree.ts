import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Duration, Effect, Option } from "effect"
import { TasksApi } from "../../../board/tasks/Api.ts"
import { WorktreesApi } from "../../../board/worktrees/Api.ts"
import type { RemovalQuery } from "../../../board/worktrees/Requests.ts"
import { Client } from "../../../client/Client.ts"
import { BranchName } from "../../../kernel/git/RefName.ts"
import { nonBlank } from "../../../kernel/Text.ts"
import { ask } from "../../Answer.ts"
import { id, json, limitUpTo, optionOf } from "../../Parts.ts"
import { candidateTable, removedText, worktreeName, worktreeText } from "../../text/WorktreeText.ts"

/*
 * The worktree of a task: create, status, rebase, merge, pull-request, remove, stale.
 */

/** Git fetches and pushes meanwhile. */
const patience = Duration.minutes(5)

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

const create = Command.make("create", { id, repo, base, stale, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const path = { id: given.id }
      const git = {
        ...(Option.isNone(given.repo) ? {} : { repo: given.repo.value }),
        ...(Option.isNone(given.base) ? {} : { baseBranch: given.base.value })
      }
      if (Object.keys(git).length > 0) {
        yield* call(TasksApi, ({ tasks }) => tasks.patch({ path, headers: {}, payload: { git } }))
      }
      const payload = Option.match(given.stale, {
        onNone: () => ({}),
        onSome: (reason) => ({ allowStaleBase: true, staleBaseAcknowledgement: { reason } })
      })
      const made = yield* call(
        WorktreesApi,
        ({ worktrees }) => worktrees.create({ path, headers: {}, payload }),
        patience
      )
      return { json: made, text: (paint) => worktreeText(made, paint) }
    })
  )
).pipe(Command.withDescription("Make a worktree for a task, on a branch of its own."))

const status = Command.make("status", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(WorktreesApi, ({ worktrees }) => worktrees.status({ path: { id: given.id } }))
      return { json: found, text: (paint) => worktreeText(found, paint) }
    })
  )
).pipe(Command.withDescription("Show a worktree, and what its removal would meet."))

const rebase = Command.make("rebase", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const path = { id: given.id }
      const done = yield* call(
        WorktreesApi,
        ({ worktrees }) => worktrees.rebase({ path, headers: {}, payload: {} }),
        patience
      )
      return {
        json: done,
        text: (paint) =>
          done.rebased
            ? `${paint.green("Rebased")} ${worktreeName(done.manifest, paint)} onto ${done.onto}`
            : `Up to date: ${worktreeName(done.manifest, paint)} contains ${done.onto}`
      }
    })
  )
).pipe(Command.withDescription("Bring a worktree onto its base as origin has it now."))

const merge = Command.make("merge", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const path = { id: given.id }
      const done = yield* call(
        WorktreesApi,
        ({ worktrees }) => worktrees.merge({ path, headers: {} }),
        patience
      )
      const how = done.fastForward ? "by fast-forward" : "by a merge"
      return {
        json: done,
        text: (paint) =>
          `${paint.green("Merged")} ${worktreeName(done.manifest, paint)} into ${done.baseBranch} ${how}: ${done.commit}`
      }
    })
  )
).pipe(Command.withDescription("Bring the commits of a worktree into its base at origin."))

const pullRequest = Command.make("pull-request", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const path = { id: given.id }
      const asked = yield* call(
        WorktreesApi,
        ({ worktrees }) => worktrees.requestPullRequest({ path, headers: {}, payload: {} }),
        patience
      )
      const { compareUrl } = asked.pullRequest
      return {
        json: asked,
        text: (paint) =>
          `${paint.green("Pushed")} ${worktreeName(asked.manifest, paint)}\n${compareUrl === undefined ? "Open the pull request at the code host." : `Open the pull request: ${compareUrl}`}`
      }
    })
  )
).pipe(Command.withDescription("Push the branch of a worktree, for a pull request by a person."))

const force = option(
  "force-because",
  "REASON",
  "Go past what stands against it, and why; needs an admin key"
).pipe(optionOf("--force-because", nonBlank(2_000)), Options.optional)

const remove = Command.make("remove", { id, force, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const urlParams: typeof RemovalQuery.Type = Option.match(given.force, {
        onNone: () => ({}),
        onSome: (reason) => ({ force: true, reason })
      })
      const path = { id: given.id }
      const done = yield* call(
        WorktreesApi,
        ({ worktrees }) => worktrees.remove({ path, headers: {}, urlParams }),
        patience
      )
      return { json: done, text: (paint) => removedText(done.manifest, done.removal, paint) }
    })
  )
).pipe(Command.withDescription("Remove a worktree; what no commit holds is saved first."))

const limit = limitUpTo(1_000, "At most this many, 1 to 1000; 20 without it").pipe(Options.withDefault(20))

const unused = Command.make("stale", { limit, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(WorktreesApi, ({ worktrees }) =>
        worktrees.candidates({ urlParams: { limit: given.limit } })
      )
      return { json: found, text: (paint) => candidateTable(found, paint) }
    })
  )
).pipe(Command.withDescription("List the worktrees that nobody has touched for a week."))

export const worktree = Command.make("worktree").pipe(
  Command.withSubcommands([create, status, rebase, merge, pullRequest, remove, unused])
)
