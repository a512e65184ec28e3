/** The direct neighbours of a task, in both directions. */
export { edgesOf as neighboursOf } from "./DependencyRepo.ts"
