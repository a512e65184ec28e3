import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "@effect/platform"
import { Context, Effect, Layer, Schema } from "effect"
import { ContractTables } from "../../src/http/ContractTables.ts"
import * as HandleGuard from "../../src/http/HandleGuard.ts"
import { Actor } from "../../src/kernel/Actor.ts"
import { Authorization, Requires, type RouteRule } from "../../src/kernel/Authorization.ts"
import * as Envelope from "../../src/kernel/Envelope.ts"
import { ExplicitCredential } from "../../src/kernel/ExplicitCredential.ts"
import { AnyFailure } from "../../src/kernel/Failures.ts"
import { anyOf, forReaders, fromHere, inPasswordSession, inRole } from "../../src/kernel/Requirement.ts"
import { actorGuards, guardedBy, type RouteGuard, withOwnCredential } from "../../src/kernel/RouteGuard.ts"
import { layerOwnServer } from "../support/OwnServer.ts"

/** The run that a request speaks for. */
class Run extends Context.Tag("test/Run")<Run, { readonly attemptId: string }>() {}

/** The handle of a run is missing, or none that counts. */
class HandleRefused extends Schema.TaggedError<HandleRefused>()("HandleRefused", {
  reason: Schema.Literal("missing", "unknown")
}) {}

class RunHandle extends HttpApiMiddleware.Tag<RunHandle>()("test/RunHandle", {
  provides: Run,
  failure: Envelope.general(HandleRefused, {
    status: 401,
    code: "UNAUTHORIZED",
    message: () => "This needs the handle of a run that is under way"
  })
}) {}

/** Takes the handle of a run, and provides the run and no actor. */
export const runHandle: RouteGuard = {
  name: "run-handle",
  accepts: { runHandle: { type: "http", scheme: "bearer", description: "The handle of a run" } },
  middleware: [RunHandle],
  asks: false
}

export const ownGuards = [...actorGuards, runHandle]

/** The one handle that counts. */
export const handle = "handle-of-the-first-run"

const post = <const Name extends string>(name: Name, rule: RouteRule) =>
  HttpApiEndpoint.post(name, `/forms/${name}`).addSuccess(Schema.String).annotate(Requires, rule)

/** A route for each form of a rule that document 3 asks for. */
const FormsApi = HttpApiGroup.make("forms")
  .add(HttpApiEndpoint.get("read", "/forms/read").addSuccess(Schema.String).annotate(Requires, "agent:read"))
  .add(HttpApiEndpoint.get("list", "/forms/list").addSuccess(Schema.String).annotate(Requires, "public"))
  .add(post("start", "task:write"))
  .add(post("preview", forReaders("agent:read")))
  .add(post("preset", inRole("admin", "policy:write")))
  .add(post("register", anyOf("agent:write", inRole("agent", "task:write"))))
  .add(
    post(
      "rewind",
      anyOf(
        inRole("admin", "agent:write"),
        inPasswordSession("local-agent:run", "task:write"),
        fromHere("comment:write")
      )
    )
  )
  .add(post("resume", inPasswordSession("local-agent:run", "task:write")))
  .add(post("journal", withOwnCredential("admin:manage")).middleware(ExplicitCredential))
  .middleware(Authorization)
  .prefix("/api")

const BridgeApi = HttpApiGroup.make("bridge")
  .add(
    HttpApiEndpoint.get("catalog", "/bridge/catalog")
      .addSuccess(Schema.String)
      .annotate(Requires, guardedBy(runHandle))
  )
  .add(
    HttpApiEndpoint.post("call", "/bridge/call")
      .addSuccess(Schema.String)
      .annotate(Requires, guardedBy(runHandle))
  )
  .middleware(RunHandle)
  .prefix("/api")

export const OwnApi = HttpApi.make("own").add(FormsApi).add(BridgeApi).addError(AnyFailure)

const who = Effect.map(Actor, ({ name }) => name)
const which = Effect.map(Run, ({ attemptId }) => attemptId)

const FormsHttp = HttpApiBuilder.group(OwnApi, "forms", (handlers) =>
  handlers
    .handle("read", () => who)
    .handle("list", () => who)
    .handle("start", () => who)
    .handle("preview", () => who)
    .handle("preset", () => who)
    .handle("register", () => who)
    .handle("rewind", () => who)
    .handle("resume", () => who)
    .handle("journal", () => who)
)

const BridgeHttp = HttpApiBuilder.group(OwnApi, "bridge", (handlers) =>
  handlers.handle("catalog", () => which).handle("call", () => which)
)

const handles = HandleGuard.layer(
  RunHandle,
  Effect.succeed((given) =>
    given === handle
      ? Effect.succeed({ attemptId: "first" })
      : Effect.fail(new HandleRefused({ reason: given === undefined ? "missing" : "unknown" }))
  )
)

/** Serves the contract. */
export const ownServer = layerOwnServer(
  HttpApiBuilder.api(OwnApi).pipe(Layer.provide([FormsHttp, BridgeHttp]), Layer.provide(handles)),
  ContractTables.layer(OwnApi, ownGuards)
)
