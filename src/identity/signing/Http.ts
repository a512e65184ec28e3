import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { SigningApi } from "./Api.ts"
import { Rotations } from "./Rotations.ts"

export const SigningHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(SigningApi),
  "signing",
  (handlers) =>
    Effect.map(Rotations, (rotations) =>
      handlers.handle("rotate", () => asActor(rotations.rotate)).handle("status", () => rotations.status)
    )
)
