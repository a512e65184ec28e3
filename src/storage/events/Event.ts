import { Option, Schema } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { parseStored, StoredUnreadable } from "../../kernel/Json.ts"
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

/** Fields that are read without any service. */
export interface Fields {
  readonly [name: PropertyKey]:
    | Schema.Schema.AnyNoContext
    | Schema.optionalWith<Schema.Schema.AnyNoContext, { exact: true }>
}

/** What is known of an event: whom it happened to, and the fields of its class. */
type Facts<Own extends Fields> = { readonly resourceId: string } & Schema.Struct.Type<Own>

/** A class of events. */
export interface EventClass<Kind extends string, Resource extends string, Own extends Fields> {
  new (facts: Facts<Own>): { readonly _tag: Kind; readonly resource: Resource } & Facts<Own>
  readonly _tag: Kind
  /** The fields of its own, as they are recorded. */
  readonly fields: Own
  /** Reads one where it is stored. What does not fit was not written by this program: a defect. */
  read<Self>(this: new (facts: Facts<Own>) => Self, stored: OutboxEvent): Self
}

/**
 * A class of events, for the `Events.ts` of a room. It has no fields that JSON does not have: what is recorded is what
 * the class holds. Making one checks nothing that the compiler has not checked; reading one does.
 *
 * @example
 * class TaskMoved extends Event("task.moved", "task", { from: TaskStatus, to: TaskStatus }) {}
 */
export const Event = <const Kind extends string, const Resource extends string, const Own extends Fields>(
  kind: Kind,
  resource: Resource,
  fields: Own
): EventClass<Kind, Resource, Own> => {
  let decode: ((payload: unknown) => Option.Option<object>) | undefined
  class Happened {
    static readonly _tag = kind
    static readonly fields = fields
    static read<Self>(this: new (facts: Facts<Own>) => Self, { payload, resourceId }: OutboxEvent): Self {
      // Its decoder is made with the first event that is read: a start would make 140 of them.
      decode ??= Schema.decodeUnknownOption(Schema.Struct<Fields>(fields))
      const own = Option.getOrThrowWith(decode(parseStored(payload)), () => new StoredUnreadable())
      // What was decoded by the fields is what they describe.
      return new this({ resourceId, ...own } as Facts<Own>)
    }
    readonly _tag = kind
    readonly resource = resource
    constructor(facts: Facts<Own>) {
      Object.assign(this, facts)
    }
  }
  // A class can't say that it has fields whose names are not known here.
  return Happened as EventClass<Kind, Resource, Own>
}

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

/** Any class of events, for those who read several. */
interface AnyEventClass {
  new (facts: never): Event
  readonly _tag: string
  read(stored: OutboxEvent): unknown
}

/** Reads events of these classes where they are stored; `undefined` for those of others. */
export const eventReader = <const Classes extends ReadonlyArray<AnyEventClass>>(classes: Classes) => {
  const byKind = new Map(classes.map((one) => [one._tag, one]))
  // What a class reads is one of its own.
  return (stored: OutboxEvent) =>
    byKind.get(stored.kind)?.read(stored) as InstanceType<Classes[number]> | undefined
}
