import { Schema } from "effect"

/**
 * The kinds of trackers: `github` for GitHub and services with its REST interface, `local` for the built-in sample
 * tracker, which needs no connection (decision Q64).
 */
export const TrackerProvider = Schema.Literal("github", "local").annotations({
  identifier: "TrackerProvider",
  description: "`github`: GitHub, or what has its REST interface; `local`: a sample tracker that is built in"
})
export type TrackerProvider = typeof TrackerProvider.Type
