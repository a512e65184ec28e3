import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import {
  type Precondition,
  type Revised,
  type RevisionConflict,
  requireCurrent
} from "../../kernel/Revision.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskFull } from "../tasks/Errors.ts"
import { TaskUpdated } from "../tasks/Events.ts"
import { edit, type WriteRefused } from "../tasks/Units.ts"
import { TemplateLimitReached, TemplateNameTaken, TemplateNotFound } from "./Errors.ts"
import { TemplateCreated, TemplateDeleted, TemplateUpdated } from "./Events.ts"
import {
  applyPatch,
  create,
  fillFrom,
  type Template,
  type TemplateDraft,
  type TemplatePatch,
  templateLimit
} from "./Template.ts"
import * as TemplateRepo from "./TemplateRepo.ts"

/** Patterns for tasks that resemble each other. */
export interface TemplatesService {
  readonly list: Effect.Effect<ReadonlyArray<Template>>
  readonly get: (id: string) => Effect.Effect<Revised, TemplateNotFound>
  readonly create: (
    draft: TemplateDraft,
    by: ActorContext
  ) => Effect.Effect<Revised, TemplateNameTaken | TemplateLimitReached>
  readonly patch: (
    id: string,
    patch: TemplatePatch,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, TemplateNotFound | TemplateNameTaken | RevisionConflict>
  readonly remove: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<void, TemplateNotFound | RevisionConflict>
  /** Fills the empty fields of a task, and answers with the task. */
  readonly apply: (
    taskId: string,
    templateId: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskFull | TemplateNotFound>
}

export class Templates extends Context.Tag("muster/Templates")<Templates, TemplatesService>() {
  static readonly layer = Layer.effect(
    Templates,
    Effect.map(Storage, (storage) =>
      Templates.of({
        list: storage.read(TemplateRepo.all),
        get: (id) => Effect.map(storage.read(requireTemplate(id)), revisedOf),
        create: Effect.fn("Templates.create")((draft, by) =>
          Effect.map(storage.write(createTemplate(draft, by)), revisedOf)
        ),
        patch: Effect.fn("Templates.patch")((id, patch, precondition, by) =>
          Effect.map(storage.write(patchTemplate(id, patch, precondition, by)), revisedOf)
        ),
        remove: Effect.fn("Templates.remove")((id, precondition, by) =>
          storage.write(removeTemplate(id, precondition, by))
        ),
        apply: Effect.fn("Templates.apply")((taskId, templateId, precondition, by) =>
          storage.write(
            edit(
              taskId,
              { operation: "apply-template", by, precondition },
              (changed) => new TaskUpdated(changed),
              (task) => Effect.map(requireTemplate(templateId), ({ fields }) => fillFrom(task, fields))
            )
          )
        )
      })
    )
  )
}

const revisedOf = (template: Template): Revised => ({
  id: template.id,
  revision: template.revision,
  json: JSON.stringify(template)
})

const requireTemplate = (id: string): Effect.Effect<Template, TemplateNotFound, Sql> =>
  Effect.filterOrFail(
    TemplateRepo.find(id),
    (found) => found !== undefined,
    () => new TemplateNotFound({ templateId: id })
  )

/** Finds a template that is about to be written: it exists, and is still the revision that the write was based on. */
const findForWrite = (
  id: string,
  precondition: Precondition
): Effect.Effect<Template, TemplateNotFound | RevisionConflict, Sql> =>
  Effect.flatMap(requireTemplate(id), (current) => requireCurrent("template", current, precondition))

const requireFreeName = (
  name: string,
  forId: string | undefined
): Effect.Effect<void, TemplateNameTaken, Sql> =>
  Effect.flatMap(TemplateRepo.idOf(name), (templateId) =>
    templateId === undefined || templateId === forId
      ? Effect.void
      : Effect.fail(new TemplateNameTaken({ name, templateId }))
  )

const createTemplate = (draft: TemplateDraft, by: ActorContext) =>
  Effect.gen(function* () {
    yield* requireFreeName(draft.name, undefined)
    if ((yield* TemplateRepo.count) >= templateLimit) {
      return yield* new TemplateLimitReached({ limit: templateLimit })
    }
    const template = create(draft, { id: yield* newId("template"), at: yield* nowIso, by: by.name })
    yield* TemplateRepo.insert(template)
    const { fields, id, revision } = template
    yield* Journal.record(new TemplateCreated({ resourceId: id, revision, fields: Object.keys(fields) }), by)
    return template
  })

const patchTemplate = (id: string, patch: TemplatePatch, precondition: Precondition, by: ActorContext) =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, precondition)
    const fields = Object.keys(patch)
    if (fields.length === 0) return before
    if (patch.name !== undefined) yield* requireFreeName(patch.name, id)
    const after = applyPatch(before, patch, { at: yield* nowIso, by: by.name })
    yield* TemplateRepo.update(before, after)
    yield* Journal.record(new TemplateUpdated({ resourceId: id, revision: after.revision, fields }), by)
    return after
  })

const removeTemplate = (id: string, precondition: Precondition, by: ActorContext) =>
  Effect.gen(function* () {
    const { revision } = yield* findForWrite(id, precondition)
    yield* TemplateRepo.remove(id)
    yield* Journal.record(new TemplateDeleted({ resourceId: id, revision, fields: [] }), by)
  })
