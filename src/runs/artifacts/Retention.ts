import type { Retention } from "../../storage/Retention.ts"
import * as ArtifactRepo from "./ArtifactRepo.ts"

/** Outputs that are too long for their events: a quarter of a year, however many they are. */
export const artifactRetention: Retention = {
  name: "outputs",
  span: { days: 90, count: 0 },
  forget: ArtifactRepo.forgetOld
}
