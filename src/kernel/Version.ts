import manifest from "../../package.json" with { type: "json" }

/** The revision of the interface that the API implements (spec 1-core, Versioning). */
export const interfaceVersion = "6.1.3"

/** The version of this package. */
export const version: string = manifest.version
