import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { Reservation, ReservationFilter, ReservationIdParam } from "./Reservation.ts"
import * as Wire from "./Wire.ts"

export const AdmissionApi = HttpApiGroup.make("admission")
  .add(
    HttpApiEndpoint.get("list", "/admission")
      .setUrlParams(ReservationFilter)
      .addSuccess(Schema.Array(Reservation))
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "Who holds capacity, and who held some: the reservations that match all filters, newest first, in a bare array; `X-Total-Count` says how many match. `active` holds capacity, `released` gave it back, `expired` lost it because its lease lapsed; what is over is kept for thirty days, and the last thousand always. Without `limit` a hundred are listed."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/admission/:id")
      .setPath(Schema.Struct({ id: ReservationIdParam }))
      .addSuccess(Reservation)
      .addError(Wire.ReservationNotFound)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "One reservation: what was asked for, the limits that it was held against with what was taken then, the attempt and the place in the tree that it belongs to, its lease, and, when it is over, what shows it."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Admission")
