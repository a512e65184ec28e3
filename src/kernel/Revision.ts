import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Schema } from "effect"
import * as Envelope from "./Envelope.ts"

/**
 * Optimistic concurrency for every resource that carries a revision (spec 1-core, Endpoints and Errors rule 1).
 * The current revision goes out as `ETag: "<type>:<id>:<revision>"` and `X-Resource-Revision`; both may come back
 * as the precondition of a write, and when both do, both must hold.
 */
const etagPattern = /^(?:W\/)?"?([a-z-]+):([^":]+):(\d{1,15})"?$/

/** The headers of a conditional write. */
export const Headers = Schema.Struct({
  "if-match": Schema.optional(
    Schema.String.pipe(
      Schema.filter((value) => value.trim() === "*" || etagPattern.test(value.trim()), {
        message: () => 'Expected an ETag such as "task:<id>:<revision>", or *',
        jsonSchema: {}
      })
    ).annotations({ description: 'The ETag that the change was based on: `"<type>:<id>:<revision>"` or `*`' })
  ),
  "x-resource-revision": Schema.optional(
    Schema.String.pipe(
      Schema.filter((value) => /^\d{1,15}$/.test(value.trim()), {
        message: () => "Expected a revision number",
        jsonSchema: { pattern: "^\\d{1,15}$" }
      })
    ).annotations({ description: "The revision number that the change was based on" })
  )
})

/** What must be true of the resource for a write to happen. No expectation: the write is unconditional. */
export interface Precondition {
  /** True when the request carried a precondition at all, `*` included. */
  readonly given: boolean
  readonly expectations: ReadonlyArray<{ readonly resourceId?: string; readonly revision: number }>
}

/** A write without any condition. */
export const unconditional: Precondition = { given: false, expectations: [] }

/** Reads the precondition of a resource of the given type from headers that passed `Headers`. */
export const precondition = (type: string, headers: typeof Headers.Type): Precondition => {
  const ifMatch = headers["if-match"]?.trim()
  const revision = headers["x-resource-revision"]?.trim()
  if (ifMatch === undefined && revision === undefined) return unconditional
  const expectations: Array<{ readonly resourceId?: string; readonly revision: number }> = []
  const etag = ifMatch === undefined ? null : etagPattern.exec(ifMatch)
  if (etag !== null) {
    // An ETag of another type of resource can hold for no resource of this one.
    expectations.push({ resourceId: etag[1] === type ? (etag[2] ?? "") : "", revision: Number(etag[3]) })
  }
  if (revision !== undefined) expectations.push({ revision: Number(revision) })
  return { given: true, expectations }
}

/** The revision that the precondition expected and did not find, or undefined when it holds. */
export const violated = (
  condition: Precondition,
  current: { readonly id: string; readonly revision: number }
): number | undefined =>
  condition.expectations.find(
    (expected) =>
      expected.revision !== current.revision ||
      (expected.resourceId !== undefined && expected.resourceId !== current.id)
  )?.revision

/** The write was based on a revision that is no longer the current one; `current` is the resource as it is now. */
export class RevisionConflict extends Schema.TaggedError<RevisionConflict>()("RevisionConflict", {
  resourceType: Schema.String,
  resourceId: Schema.String,
  expectedRevision: Schema.Int,
  currentRevision: Schema.Int,
  current: Schema.Unknown
}) {}

/** What a write can be based on. */
interface Versioned {
  readonly id: string
  readonly revision: number
}

/** The refusal of a write that was based on another revision of a resource; `current` is the resource as it is shown. */
export const conflict = (
  resourceType: string,
  { id, revision }: Versioned,
  expectedRevision: number,
  current: unknown
): RevisionConflict =>
  new RevisionConflict({ resourceType, resourceId: id, expectedRevision, currentRevision: revision, current })

/** Lets a write pass whose precondition holds for a resource, and gives the resource back. */
export const requireCurrent = <A extends Versioned>(
  resourceType: string,
  resource: A,
  condition: Precondition
): Effect.Effect<A, RevisionConflict> => {
  const expected = violated(condition, resource)
  return expected === undefined
    ? Effect.succeed(resource)
    : conflict(resourceType, resource, expected, resource)
}

/** 409 CONFLICT in the conflict envelope. */
export const RevisionConflictWire = Envelope.conflict(RevisionConflict, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The ${error.resourceType} was changed in the meantime: revision ${error.expectedRevision} was expected, ${error.currentRevision} is current. Read it again and repeat the change.`
})

/** The entity tag of a revision. */
export const etag = (type: string, id: string, revision: number): string => `"${type}:${id}:${revision}"`

/** A resource as storage holds it: its public JSON with the id and revision that the headers need. */
export interface Revised {
  readonly id: string
  readonly revision: number
  readonly json: string
}

/** Answers with stored JSON as it is, with the revision in the headers. */
export const respond = (
  type: string,
  resource: Revised,
  status = 200
): HttpServerResponse.HttpServerResponse => respondJson(resource.json, type, resource, status)

/** Answers with JSON that contains one resource, with that resource's revision in the headers. */
export const respondJson = (
  json: string,
  type: string,
  resource: { readonly id: string; readonly revision: number },
  status = 200
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(json, {
    status,
    contentType: "application/json",
    contentLength: Buffer.byteLength(json),
    headers: {
      etag: etag(type, resource.id, resource.revision),
      "x-resource-revision": String(resource.revision)
    }
  })
