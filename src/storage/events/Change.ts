import type { ActorContext } from "../../kernel/Actor.ts"

/**
 * A fact about a resource. `kind` is the resource and what happened to it, e.g. `task.updated`. `payload` is metadata:
 * ids, revisions, names of changed fields, statuses; never free text, so nothing secret can lie in it.
 */
export interface Change {
  readonly kind: string
  readonly resource: string
  readonly resourceId: string
  readonly by: ActorContext
  readonly payload: Readonly<Record<string, unknown>>
}
