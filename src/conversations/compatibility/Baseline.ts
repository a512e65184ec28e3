import { digest } from "../../kernel/Digest.ts"

/**
 * What the bridge was tested against (spec 2-relay, Versioning). A change of any part voids every evidence that was
 * gathered before it: they change together, with the fixtures and their digest.
 */
export const baseline = {
  schemaVersion: "harness-compatibility/v1",
  /** The release of the product that the contract comes from. */
  release: "0.4.24",
  /**
   * The commit of the tested relay. The specification withholds its value, so this one is of our choosing. Relays of the
   * family report none; one that reports another is unsupported.
   */
  commit: "d2b8c8e3a7f04f5c9f0be6ad2d1b0b9c4f6e7a18",
  harness: "0.1.0",
  probeRevision: "relay-probe/1",
  fixtureRevision: "relay-fixtures/2",
  /** SHA-256 over the fixtures, one after another in the order of their list: a changed fixture is another baseline. */
  fixtureDigest: "64a860ec22fc291fa3dcee1b88a5451f51f8c0a0f7330f990129416906593cc7",
  contract: "relay-http-ws/v1",
  /**
   * The versions that relays of that release report about themselves: relays are numbered apart from the product
   * (relay-wire 0.1).
   */
  relayVersions: ["0.4.24", "0.1.1", "0.2.0", "0.2.1"],
  /** What a relay must be able to do: describe itself, keep channels, authenticate. */
  requiredNips: [11, 29, 42]
} as const

/** Every fixture of the seam between the bridge and a relay, as paths of the repository. */
export const fixtures = [
  "test/fixtures/relay/attestation.json",
  "test/fixtures/relay/authentication.json",
  "test/fixtures/relay/channel-events.json",
  "test/fixtures/relay/errors.json",
  "test/fixtures/relay/information.json"
] as const

/** One digest for all of it: evidence carries the digest that it was gathered under. */
export const baselineDigest = digest({ ...baseline, fixtures })
