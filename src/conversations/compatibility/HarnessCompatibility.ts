import { Schema } from "effect"

/** What the bridge was tested against, and with what (spec 2-relay, Versioning). */
export const HarnessCompatibility = Schema.Struct({
  schemaVersion: Schema.String,
  release: Schema.String,
  commit: Schema.String,
  harness: Schema.String,
  probeRevision: Schema.String,
  fixtureRevision: Schema.String,
  fixtureDigest: Schema.String,
  contract: Schema.String,
  relayVersions: Schema.Array(Schema.String).annotations({
    description: "What tested relays report about themselves: they are numbered apart from the release"
  }),
  requiredNips: Schema.Array(Schema.Int),
  evidenceDigest: Schema.String,
  fixtures: Schema.Array(Schema.String).annotations({
    description: "Every fixture of the seam, as paths of the repository"
  })
}).annotations({ identifier: "HarnessCompatibility" })
export type HarnessCompatibility = typeof HarnessCompatibility.Type
