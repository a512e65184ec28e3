import { Context, Effect, Layer } from "effect"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import { Storage } from "../../storage/Storage.ts"
import { ReservationNotFound } from "./Errors.ts"
import type { Reservation, ReservationFilter } from "./Reservation.ts"
import * as ReservationRepo from "./ReservationRepo.ts"

/** Who holds capacity, and who held some. */
export interface ReservationsService {
  /** The newest ones that match. */
  readonly list: (filter: ReservationFilter) => Effect.Effect<Page<Reservation>>
  readonly get: (id: string) => Effect.Effect<Reservation, ReservationNotFound>
}

export class Reservations extends Context.Tag("muster/Reservations")<Reservations, ReservationsService>() {
  static readonly layer = Layer.effect(
    Reservations,
    Effect.map(Storage, ({ read }) =>
      Reservations.of({
        list: Effect.fn("Reservations.list")((filter) =>
          read(ReservationRepo.matching(filter, filter.limit ?? defaultLimit))
        ),
        get: Effect.fn("Reservations.get")((id) =>
          Effect.flatMap(read(ReservationRepo.find(id)), (found) =>
            found === undefined ? new ReservationNotFound({ reservationId: id }) : Effect.succeed(found)
          )
        )
      })
    )
  )
}
