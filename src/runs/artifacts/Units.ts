/*
 * What the journal uses of artifacts: it writes them, and they go with it.
 */

export { type Artifact, type OutputPreview, OutputPreview as Preview, previewOf } from "./Artifact.ts"
export { forget as forgetArtifacts, insert as insertArtifact } from "./ArtifactRepo.ts"
