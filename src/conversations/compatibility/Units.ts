export { current as currentEvidence, remove as forgetEvidence } from "./EvidenceRepo.ts"
