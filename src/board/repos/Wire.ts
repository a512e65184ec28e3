import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const RepoNotFound = Envelope.general(Errors.RepoNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Repository ${error.repo} is not configured; GET /config/repos lists those that are`
})

export const RepoNameTaken = Envelope.general(Errors.RepoNameTaken, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `There is a repository named ${error.repo} already: choose another name`
})

export const RepoLimitReached = Envelope.general(Errors.RepoLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The board has ${error.limit} repositories, as many as it can: delete one first`
})

export const RepoUnusable = Envelope.general(Errors.RepoUnusable, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Repository ${error.repo} can't be used: ${error.reason}. Mend it, or change its path.`
})
