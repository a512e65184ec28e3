import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Duration, Effect, Option } from "effect"
import { Client } from "../../../client/Client.ts"
import { Misused } from "../../../client/Failure.ts"
import { TrackersApi } from "../../../integrations/trackers/Api.ts"
import { ProfileIdInput } from "../../../integrations/trackers/profiles/Profile.ts"
import { TrackerProvider } from "../../../integrations/trackers/profiles/Provider.ts"
import { nonBlank } from "../../../kernel/Text.ts"
import { ask } from "../../Answer.ts"
import { argumentOf, id, json, optionOf } from "../../Parts.ts"
import { table } from "../../text/Table.ts"
import { connectionText, creationText, dryRunText, schemaText } from "../../text/TrackerText.ts"

/*
 * The commands about the tracker of the board: status, introspect, profiles, create.
 */

/** A tracker may be slow: the server gives it half a minute. */
const patience = Duration.seconds(45)

const status = Command.make("status", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const connection = yield* call(TrackersApi, ({ trackers }) => trackers.connection())
      const schema = yield* call(TrackersApi, ({ trackers }) => trackers.schema()).pipe(
        Effect.catchIf(
          (failure) => failure._tag === "Refused" && failure.status === 404,
          () => Effect.succeed(null)
        )
      )
      return {
        json: { connection, schema },
        text: (paint) => [connectionText(connection, paint), schemaText(schema, paint)].join("\n")
      }
    })
  )
).pipe(Command.withDescription("Show the connection to the tracker, and its latest schema."))

const provider = Args.text({ name: "PROVIDER" }).pipe(
  argumentOf("PROVIDER", TrackerProvider),
  Args.withDescription(`The kind of tracker: ${TrackerProvider.literals.join(", ")}`)
)
const project = Args.text({ name: "PROJECT" }).pipe(
  Args.withDescription("The project at the tracker, e.g. owner/name")
)

const introspect = Command.make("introspect", { provider, project, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const payload = { provider: given.provider, project: given.project }
      const schema = yield* call(TrackersApi, ({ trackers }) => trackers.introspect({ payload }), patience)
      return { json: schema, text: (paint) => schemaText(schema, paint) }
    })
  )
).pipe(Command.withDescription("Read the schema of a project from the tracker."))

const profiles = Command.make("profiles", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const all = yield* call(TrackersApi, ({ trackers }) => trackers.profiles())
      const rows = all.map(({ defaultWorkItemType, enabled, id: profileId, name, provider: of }) => [
        profileId,
        of,
        enabled ? "on" : "off",
        defaultWorkItemType,
        name
      ])
      return {
        json: all,
        text: (paint) =>
          all.length === 0 ? "No profiles." : table(["ID", "PROVIDER", "STATE", "TYPE", "NAME"], rows, paint)
      }
    })
  )
).pipe(Command.withDescription("List the profiles by which tasks become items of the tracker."))

const createOptions = {
  id,
  profile: Options.text("profile").pipe(
    Options.withPseudoName("PROFILE"),
    optionOf("--profile", ProfileIdInput),
    Options.withDescription("The id of a profile")
  ),
  approvedBy: Options.text("approved-by").pipe(
    Options.withPseudoName("NAME"),
    optionOf("--approved-by", nonBlank(200)),
    Options.withDescription("Who approved that the task leaves the board"),
    Options.optional
  ),
  dryRun: Options.boolean("dry-run").pipe(
    Options.withDescription("Show what would be sent, and send nothing")
  ),
  json
}

const preview = (taskId: string, profileId: string) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const shown = yield* call(TrackersApi, ({ trackers }) =>
      trackers.preview({ path: { profileId }, payload: { taskId } })
    )
    return { json: shown, text: dryRunText(shown) }
  })

const create = Command.make("create", createOptions, ({ approvedBy, dryRun, id: taskId, json, profile }) =>
  ask(
    json,
    Effect.gen(function* () {
      if (dryRun) return yield* preview(taskId, profile)
      if (Option.isNone(approvedBy)) {
        return yield* new Misused({
          reason: "Nobody has approved it",
          remedy:
            "Say with --approved-by NAME who agreed that the task goes out, or look first with --dry-run"
        })
      }
      const { call } = yield* Client
      const payload = { taskId, approvedBy: approvedBy.value }
      const made = yield* call(
        TrackersApi,
        ({ trackers }) => trackers.create({ path: { profileId: profile }, headers: {}, payload }),
        patience
      )
      return { json: made, text: creationText(made) }
    })
  )
).pipe(Command.withDescription("Make an item for a task at the tracker, once for a task and a profile."))

export const trackers = Command.make("trackers").pipe(
  Command.withSubcommands([status, introspect, profiles, create])
)
