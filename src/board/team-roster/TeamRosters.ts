import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Profiles from "../agent-profiles/Units.ts"
import { RosterNotFound } from "./Errors.ts"
import * as RosterRepo from "./RosterRepo.ts"
import * as RosterWriting from "./RosterWriting.ts"
import { manifestOf, shown, type TeamRosterManifest } from "./TeamRoster.ts"

/** The roster of the board, and the teams that were imported. */
export interface TeamRostersService {
  readonly manifest: Effect.Effect<TeamRosterManifest>
  readonly remove: (rosterId: string, by: ActorContext) => Effect.Effect<void, RosterNotFound>
}

export class TeamRosters extends Context.Tag("muster/TeamRosters")<TeamRosters, TeamRostersService>() {
  static readonly layer = Layer.effect(
    TeamRosters,
    Effect.map(Storage, (storage) =>
      TeamRosters.of({
        manifest: storage.read(manifest),
        remove: Effect.fn("TeamRosters.remove")((rosterId, by) => storage.write(remove(rosterId, by)))
      })
    )
  )
}

const manifest = Effect.gen(function* () {
  const rosters = yield* RosterRepo.all
  const found = yield* Profiles.names(
    rosters.flatMap(({ members }) => members.map(({ profileId }) => profileId))
  )
  return manifestOf(rosters.map((roster) => shown(roster, (id) => found.get(id))))
})

const remove = (rosterId: string, by: ActorContext) =>
  Effect.gen(function* () {
    const roster = yield* RosterRepo.find(rosterId)
    if (roster === undefined) return yield* new RosterNotFound({ rosterId })
    yield* RosterWriting.remove(roster, by)
  })
