import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { CheckpointsApi } from "./Api.ts"
import type { Checkpoint } from "./Checkpoint.ts"
import { Checkpoints } from "./Checkpoints.ts"

const answer = (checkpoint: Checkpoint) => ({ success: true as const, checkpoint })

export const CheckpointsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(CheckpointsApi),
  "checkpoints",
  (handlers) =>
    Effect.map(Checkpoints, (checkpoints) =>
      handlers
        .handle("save", ({ path, payload }) =>
          asActor((by) => Effect.map(checkpoints.save(path.id, payload.state, by), answer))
        )
        .handle("resume", ({ path, request }) =>
          // HEAD is answered from GET, and nobody takes work up by it.
          request.method === "HEAD"
            ? Effect.map(checkpoints.peek(path.id), answer)
            : asActor((by) => Effect.map(checkpoints.resume(path.id, by), answer))
        )
        .handle("remove", ({ path }) => asActor((by) => checkpoints.remove(path.id, by)))
    )
)
