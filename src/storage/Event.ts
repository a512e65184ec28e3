import { Option, Schema } from "effect"
import type { ActorContext } from "../kernel/Actor.ts"
import { parseStored, StoredUnreadable } from "../kernel/Json.ts"
import type { Change } from "./Change.ts"
import type { OutboxEvent } from "./Outbox.ts"

/**
 * Something that happened to a resource. Its other fields are what is known besides: ids, revisions, names of changed
 * fields, statuses; never free text, so nothing secret can lie in it. They are JSON as they stand.
 */
export interface Event {
  /** The resource's kind and a verb: `task.moved`. */
  readonly _tag: string
  readonly resource: string
  readonly resourceId: string
}

/**
 * A class of events, for the `Events.ts` of a room. It has no fields that JSON does not have: what is recorded is what
 * the class holds.
 *
 * @example
 * class TaskMoved extends Event<TaskMoved>()("task.moved", "task", { from: TaskStatus, to: TaskStatus }) {}
 */
export const Event =
  <Self>() =>
  <const Kind extends string, const Resource extends string, const Fields extends Schema.Struct.Fields>(
    kind: Kind,
    resource: Resource,
    fields: Fields
  ) =>
    Schema.TaggedClass<Self>()(kind, {
      resource: Schema.tag(resource),
      resourceId: Schema.String,
      ...fields
    })

/** An event as it is recorded: its own fields apart from what it is and whom it happened to. */
export const changeOf = (
  { _tag: kind, resource, resourceId, ...payload }: Event,
  by: ActorContext
): Change => ({
  kind,
  resource,
  resourceId,
  by,
  payload
})

/** The union of a room's events. */
interface Union<A extends Event, I> extends Schema.Schema<A, I> {
  readonly members: ReadonlyArray<{ readonly _tag: string }>
}

/**
 * Reads events of a union where they are stored; `undefined` for those of others. What is of the union by its kind and
 * does not fit it was not written by this program: a defect, which whoever reads page by page passes over.
 */
export const reader = <A extends Event, I>(union: Union<A, I>) => {
  const kinds = new Set(union.members.map(({ _tag }) => _tag))
  const decode = Schema.decodeUnknownOption(union)
  return ({ kind, payload, resource, resourceId }: OutboxEvent): A | undefined =>
    kinds.has(kind)
      ? Option.getOrThrowWith(
          decode({ ...parseStored<object>(payload), _tag: kind, resource, resourceId }),
          () => new StoredUnreadable()
        )
      : undefined
}
