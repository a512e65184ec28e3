import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { respondPage } from "../../kernel/Paging.ts"
import { AdmissionApi } from "./Api.ts"
import { Reservations } from "./Reservations.ts"

export const AdmissionHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(AdmissionApi),
  "admission",
  (handlers) =>
    Effect.map(Reservations, (reservations) =>
      handlers
        .handle("list", ({ urlParams }) => Effect.map(reservations.list(urlParams), respondPage))
        .handle("get", ({ path }) => reservations.get(path.id))
    )
)
