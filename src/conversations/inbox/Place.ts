import { type ActorContext, actorOf } from "../../kernel/Actor.ts"
import type { Mapping } from "../mappings/Mapping.ts"
import type { Surroundings } from "./Surroundings.ts"

/** The channel that events come from, and who the bridge is there. */
export interface Place {
  readonly mapping: Mapping
  readonly community: string
  readonly ownKey: string
}

/** A unit of work at a place, and what it knows about its events. */
export interface Unit extends Place {
  readonly around: Surroundings
}

/** Who brings the messages of a mapping in. */
export const bringer = ({ mapping }: Place): ActorContext =>
  actorOf({ name: mapping.actor, role: "agent", authMethod: "auth-disabled", actorType: "service" })

/** The name of an author in the squad chat. */
export const authorName = (pubkey: string): string => `relay:${pubkey.slice(0, 8)}`
