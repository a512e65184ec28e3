import { Schema } from "effect"

/**
 * Who speaks for a tracker: `github` for GitHub and what has its REST interface, `local` for the sample tracker that is
 * built in and needs no connection (decision Q64).
 */
export const TrackerProvider = Schema.Literal("github", "local").annotations({
  identifier: "TrackerProvider",
  description: "`github`: GitHub, or what has its REST interface; `local`: a sample tracker that is built in"
})
export type TrackerProvider = typeof TrackerProvider.Type
