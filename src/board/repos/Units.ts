/** The repository that the board knows by a name. */
export { find as findRepo } from "./RepoRepo.ts"
