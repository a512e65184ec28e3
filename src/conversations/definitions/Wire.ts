import * as Envelope from "../../kernel/Envelope.ts"
import { sentences } from "../wire/Reason.ts"
import * as Errors from "./Errors.ts"

export const DefinitionsUnavailable = Envelope.general(Errors.DefinitionsUnavailable, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The definitions can't be read now. ${sentences[error.reasonCode]}`
})

export const DefinitionNotFound = Envelope.general(Errors.DefinitionNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "The relay has no definition under this coordinate, or does not show it to the bridge"
})

export const DefinitionTargetNotFound = Envelope.general(Errors.DefinitionTargetNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `There is no ${error.targetId} to bring the definition into: create it instead`
})

export const DefinitionSourceChanged = Envelope.conflict(Errors.DefinitionSourceChanged, {
  status: 409,
  code: "CONFLICT",
  message: () => "The definition was replaced at the relay in the meantime: preview it again"
})

export const DefinitionTargetChanged = Envelope.conflict(Errors.DefinitionTargetChanged, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `${error.targetId} was changed in the meantime: preview the import again`
})

export const DefinitionCollides = Envelope.conflict(Errors.DefinitionCollides, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Nothing was imported: ${error.collisions.map(({ message }) => message).join("; ")}`
})

export const DefinitionNotImportable = Envelope.general(Errors.DefinitionNotImportable, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The definition holds what is not imported: ${error.fields.map(({ field }) => field).join(", ")}`
})
