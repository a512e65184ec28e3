import { Schema } from "effect"

/** No template has this id. */
export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TemplateNotFound", {
  templateId: Schema.String
}) {}

/** Another template has this name. */
export class TemplateNameTaken extends Schema.TaggedError<TemplateNameTaken>()("TemplateNameTaken", {
  name: Schema.String,
  templateId: Schema.String
}) {}

/** The board has as many templates as it can have. */
export class TemplateLimitReached extends Schema.TaggedError<TemplateLimitReached>()("TemplateLimitReached", {
  limit: Schema.Int
}) {}
