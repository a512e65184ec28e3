import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { Repo, RepoCandidate, RepoDraft, RepoNameParam, RepoPatch, RepoVerdict } from "./Repo.ts"
import * as Wire from "./Wire.ts"

const RepoNamePath = Schema.Struct({ name: RepoNameParam })

export const ReposApi = HttpApiGroup.make("repos")
  .add(
    HttpApiEndpoint.get("list", "/config/repos")
      .addSuccess(Schema.Array(Repo))
      .annotate(Requires, "settings:read")
      .annotate(OpenApi.Description, "The repositories that tasks may have worktrees of, by name.")
  )
  .add(
    HttpApiEndpoint.post("add", "/config/repos")
      .setPayload(RepoDraft)
      .addSuccess(created(Repo))
      .addError(Wire.RepoNameTaken)
      .addError(Wire.RepoLimitReached)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Adds a repository under a name that tasks use as `git.repo`. `path` is absolute, on the machine of the server; `defaultBranch` is `main` when absent. Nothing is looked at yet: `POST /config/repos/validate` does that. At most 200."
      )
  )
  .add(
    HttpApiEndpoint.patch("patch", "/config/repos/:name")
      .setPath(RepoNamePath)
      .setPayload(RepoPatch)
      .addSuccess(Repo)
      .addError(Wire.RepoNotFound)
      .addError(Wire.RepoNameTaken)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Changes what the body names. Worktrees that exist stay with the repository that they were made of; tasks keep the name that they have."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/config/repos/:name")
      .setPath(RepoNamePath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.RepoNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Takes a repository off the board. The repository itself and its worktrees are not touched, and worktrees that exist can still be used and removed."
      )
  )
  .add(
    HttpApiEndpoint.post("validate", "/config/repos/validate")
      .setPayload(RepoCandidate)
      .addSuccess(RepoVerdict)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Looks at what lies at a path and keeps nothing. The answer is 200 even when `valid` is false; `errors` says why. `branches` are those of the repository and of its origin. Programs that its configuration names are not run."
      )
  )
  .add(
    HttpApiEndpoint.get("branches", "/config/repos/:name/branches")
      .setPath(RepoNamePath)
      .addSuccess(Schema.Array(Schema.String))
      .addError(Wire.RepoNotFound)
      .addError(Wire.RepoUnusable)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The branches of a repository and those that it last saw at its origin, at most 1,000. A path that holds no repository is a 409."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Repositories")
