import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const TemplateNotFound = Envelope.general(Errors.TemplateNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Template ${error.templateId} does not exist`
})

export const TemplateNameTaken = Envelope.general(Errors.TemplateNameTaken, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Template ${error.templateId} has this name already: choose another one`
})

export const TemplateLimitReached = Envelope.general(Errors.TemplateLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `There are ${error.limit} templates, and no room for more: delete one first`
})
