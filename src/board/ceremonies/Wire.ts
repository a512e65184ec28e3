import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const CeremonyNotFound = Envelope.general(Errors.CeremonyNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Ceremony ${error.ceremonyId} does not exist`
})

export const CeremonyPending = Envelope.general(Errors.CeremonyPending, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `Task ${error.taskId} has a ${error.ceremonyType} that waits: complete ${error.ceremonyId} first`
})

export const CeremonyCompleted = Envelope.general(Errors.CeremonyCompleted, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Ceremony ${error.ceremonyId} was completed at ${error.completedAt}`
})

export const ArtifactsMissing = Envelope.general(Errors.ArtifactsMissing, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})
