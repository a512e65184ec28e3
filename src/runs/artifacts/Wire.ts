import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const ArtifactNotFound = Envelope.general(Errors.ArtifactNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: ({ artifactId }) => `Output artifact ${artifactId} does not exist in this run and attempt`
})

export const ArtifactDamaged = Envelope.general(Errors.ArtifactDamaged, {
  status: 500,
  code: "ARTIFACT_DAMAGED",
  message: ({ artifactId }) => `The file of output artifact ${artifactId} is gone or is damaged`
})

export const RangeBeyondEnd = Envelope.general(Errors.RangeBeyondEnd, {
  status: 416,
  code: "RANGE_NOT_SATISFIABLE",
  message: ({ offset, sizeBytes }) => `The artifact has ${sizeBytes} bytes: there is nothing at ${offset}`
})

const reasons: Readonly<Record<Errors.JsonPathRefused["reason"], string>> = {
  "no-path": "jsonPath is no JSONPath of RFC 9535",
  "too-long": "jsonPath takes too long in this artifact: ask for less",
  "too-much": "jsonPath leads to more than 1,048,576 bytes of JSON: ask for less",
  "no-json": "The artifact is no JSON: read it by bytes or lines"
}

export const JsonPathRefused = Envelope.general(Errors.JsonPathRefused, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: ({ reason }) => reasons[reason]
})
