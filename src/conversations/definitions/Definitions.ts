import { Context, Effect, Layer } from "effect"
import { personaKind, teamKind } from "../../board/agent-profiles/ImportSource.ts"
import * as Profiles from "../../board/agent-profiles/Units.ts"
import * as Rosters from "../../board/team-roster/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Secrets } from "../../kernel/Secrets.ts"
import { nowIso } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { Adapters } from "../adapters/Adapters.ts"
import type { AdapterNotFound, AdapterOfOtherKind } from "../adapters/Errors.ts"
import { Compatibility } from "../compatibility/Compatibility.ts"
import { keyOf } from "../definition-documents/Head.ts"
import { judge } from "../definition-documents/Judgement.ts"
import { limits } from "../definition-documents/Limits.ts"
import { type Means, type Question, readHeads } from "../definition-documents/ReadHeads.ts"
import { connectionOf } from "../relay-access/Connection.ts"
import { RelayClient, type RelayFailure } from "../wire/RelayClient.ts"
import { Verifier } from "../wire/Verifier.ts"
import { type ImportRefused, importDefinition } from "./CarryOutImport.ts"
import { DefinitionNotFound, DefinitionsUnavailable } from "./Errors.ts"
import type { ImportRequest, ImportResult } from "./Import.ts"
import { type DefinitionLink, linkAmong, type StoredLink } from "./Link.ts"
import { type DefinitionList, listOf } from "./ListedDefinition.ts"
import { type Candidate, previewOf, storedLinkOf } from "./Plan.ts"
import type { DefinitionPreview, PreviewRequest } from "./Preview.ts"
import { targets } from "./Targets.ts"

/** There is no such relay, or it can't be asked now. */
type NotAsked = AdapterNotFound | AdapterOfOtherKind | DefinitionsUnavailable

/** The public definitions of personas and teams at a relay, and what of them is on the board. */
export interface DefinitionsService {
  readonly list: (adapterId: string) => Effect.Effect<DefinitionList, NotAsked>
  /** What was imported through an adapter, beside what its relay has now. */
  readonly links: (
    adapterId: string
  ) => Effect.Effect<ReadonlyArray<DefinitionLink>, AdapterNotFound | AdapterOfOtherKind>
  /** What an import would do. It writes nothing. */
  readonly preview: (
    adapterId: string,
    request: PreviewRequest
  ) => Effect.Effect<DefinitionPreview, NotAsked | DefinitionNotFound>
  readonly import: (
    adapterId: string,
    request: ImportRequest,
    by: ActorContext
  ) => Effect.Effect<ImportResult, NotAsked | DefinitionNotFound | ImportRefused>
}

export class Definitions extends Context.Tag("muster/Definitions")<Definitions, DefinitionsService>() {
  static readonly layer = Layer.effect(
    Definitions,
    Effect.gen(function* () {
      const storage = yield* Storage
      const adapters = yield* Adapters
      const compatibility = yield* Compatibility
      const secrets = yield* Secrets
      const means: Means = { client: yield* RelayClient, verifier: yield* Verifier }

      /** The relay of an adapter that is switched on and whose relay is known to be the tested one. */
      const connected = (adapterId: string) =>
        Effect.gen(function* () {
          const adapter = yield* adapters.relay(adapterId)
          const unavailable = (reasonCode: DefinitionsUnavailable["reasonCode"]) =>
            new DefinitionsUnavailable({ adapterId, reasonCode })
          if (!adapter.enabled) return yield* unavailable("adapter_disabled")
          const evidence = yield* compatibility.evidence(adapter)
          if (evidence?.status !== "healthy") return yield* unavailable(evidence?.reason ?? "not_probed")
          const named = <A>(asked: Effect.Effect<A, RelayFailure>) =>
            Effect.mapError(asked, ({ reason }) => unavailable(reason))
          const connection = yield* named(connectionOf(secrets, adapter))
          return (question: Question) => named(readHeads(means, connection, question))
        })

      const candidate = (adapterId: string, { coordinate }: PreviewRequest) =>
        Effect.gen(function* () {
          const { authorPubkey, dTag, kind } = coordinate
          const read = yield* connected(adapterId)
          const { heads } = yield* read({ kinds: [kind], authors: [authorPubkey], "#d": [dTag] })
          const head = heads.get(keyOf(coordinate))
          if (head === undefined) return yield* new DefinitionNotFound({ coordinate })
          const found: Candidate = {
            head,
            judgement: judge(head),
            source: {
              provider: "relay",
              adapterId,
              coordinate: head.coordinate,
              eventId: head.event.id,
              linkedAt: yield* nowIso
            }
          }
          return found
        })

      /** The links of one query beside what the relay has now. */
      const compared = (adapterId: string, links: ReadonlyArray<StoredLink>) =>
        Effect.gen(function* () {
          const read = yield* connected(adapterId)
          const coordinates = links.map(({ source }) => source.coordinate)
          const found = yield* read({
            kinds: [personaKind, teamKind],
            authors: [...new Set(coordinates.map(({ authorPubkey }) => authorPubkey))],
            "#d": [...new Set(coordinates.map(({ dTag }) => dTag))]
          })
          return links.map((link) => linkAmong(link, found))
        }).pipe(
          Effect.catchTag("DefinitionsUnavailable", () =>
            Effect.succeed(links.map((link) => linkAmong(link, undefined)))
          )
        )

      return Definitions.of({
        list: Effect.fn("Definitions.list")(function* (adapterId) {
          const read = yield* connected(adapterId)
          return listOf(yield* read({ kinds: [personaKind, teamKind] }))
        }),
        links: Effect.fn("Definitions.links")(function* (adapterId) {
          yield* adapters.relay(adapterId)
          const links = yield* storage.read(linksOf(adapterId))
          const groups = Array.from({ length: Math.ceil(links.length / limits.links) }, (_, index) =>
            links.slice(index * limits.links, (index + 1) * limits.links)
          )
          return (yield* Effect.forEach(groups, (group) => compared(adapterId, group))).flat()
        }),
        preview: Effect.fn("Definitions.preview")(function* (adapterId, request) {
          const found = yield* candidate(adapterId, request)
          return yield* storage.read(previewOf(found, request))
        }),
        import: Effect.fn("Definitions.import")(function* (adapterId, request, by) {
          const found = yield* candidate(adapterId, request)
          return yield* storage.write(importDefinition(found, request, by))
        })
      })
    })
  )
}

const linksOf = (adapterId: string) =>
  Effect.gen(function* () {
    const profiles = yield* Profiles.ofAdapter(adapterId)
    const rosters = yield* Rosters.ofAdapter(adapterId)
    const links = [
      ...profiles.map((profile) => storedLinkOf(targets.persona, profile)),
      ...rosters.map((roster) => storedLinkOf(targets.team, roster))
    ]
    return links.filter((link) => link !== undefined)
  })
