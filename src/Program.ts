import { resolve } from "node:path"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Layer, type Redacted, RuntimeFlags } from "effect"
import { Answers, subscriptions } from "./Answers.ts"
import { Api, guards } from "./Api.ts"
import { Board, BoardHttp, boardBroadcasts } from "./board/Board.ts"
import { WorktreePlaces, type WorktreeSettings } from "./board/worktrees/WorktreeSettings.ts"
import { Conversations, ConversationsHttp, conversationsRetentions } from "./conversations/Conversations.ts"
import {
  Governance,
  GovernanceHttp,
  governanceBroadcasts,
  governanceRetentions
} from "./governance/Governance.ts"
import * as AuthorizationLive from "./http/Authorization.ts"
import { ContractTables } from "./http/ContractTables.ts"
import * as Docs from "./http/Docs.ts"
import * as ExplicitCredential from "./http/ExplicitCredential.ts"
import * as Failures from "./http/Failures.ts"
import type { Access } from "./http/HostGuard.ts"
import { Hub } from "./http/Hub.ts"
import { NodeServer } from "./http/NodeServer.ts"
import * as Server from "./http/Server.ts"
import { taskLanes } from "./http/TaskLanes.ts"
import * as WebSocket from "./http/WebSocket.ts"
import type { AuthSettings } from "./identity/auth/Auth.ts"
import { Identity, IdentityHttp } from "./identity/Identity.ts"
import { Insight, InsightHttp, type InsightSettings, insightRetentions } from "./insight/Insight.ts"
import { Integrations, IntegrationsHttp, integrationsRetentions } from "./integrations/Integrations.ts"
import { Git } from "./kernel/git/Git.ts"
import { LiveConnections } from "./kernel/LiveConnections.ts"
import type { Allowance } from "./kernel/outbound/Address.ts"
import { Circuits } from "./kernel/outbound/Circuits.ts"
import { Outbound } from "./kernel/outbound/Outbound.ts"
import { type SecretPlaces, Secrets } from "./kernel/Secrets.ts"
import { Vault } from "./kernel/Vault.ts"
import { Workers } from "./kernel/Worker.ts"
import { HeartbeatTimeout, Runs, RunsHttp, runsRetentions } from "./runs/Runs.ts"
import { Blobs } from "./storage/blobs/Blobs.ts"
import * as DataDirectory from "./storage/place/DataDirectory.ts"
import type { Retention, Spans } from "./storage/Retention.ts"
import * as Sweep from "./storage/retention/Sweep.ts"
import { Storage } from "./storage/Storage.ts"
import type { SqliteEnvironment } from "./storage/sqlite/JournalMode.ts"

/** Everything about this system that is chosen outside of it. */
export interface Settings extends InsightSettings {
  readonly directory: string
  readonly databaseFile?: string
  /** What the operator says about the machine that the database lies on. */
  readonly sqlite?: SqliteEnvironment
  readonly host: string
  readonly port: number
  readonly access: Access
  readonly auth: AuthSettings
  /** Where requests to others may go beyond the public internet. */
  readonly outbound: Allowance
  /** The secrets of the environment that settings may name, by the name of the variable. */
  readonly secrets: ReadonlyMap<string, Redacted.Redacted>
  /** The hosts that secrets are bound to. */
  readonly secretPlaces?: SecretPlaces
  /** The names of all variables that are set, listed as secrets or not. */
  readonly variables?: ReadonlySet<string>
  readonly worktrees: WorktreeSettings
  /** After how many seconds a registered agent that is not heard of reads as offline: 300, unless it is said here. */
  readonly heartbeatTimeoutSeconds?: number
  /** How long old rows are kept, where the operator chose otherwise than the rooms. */
  readonly keep?: Spans
}

/** How long rows are kept that grow without end. */
export const retentions: ReadonlyArray<Retention> = [
  ...conversationsRetentions,
  ...governanceRetentions,
  ...insightRetentions,
  ...integrationsRetentions,
  ...runsRetentions
]

/** What all rooms stand on: the store, the ways out, and what is kept apart from the store. */
const Ground = (settings: Settings) =>
  Layer.provideMerge(
    Blobs.layer,
    Storage.layerSqlite({
      directory: settings.directory,
      ...(settings.databaseFile === undefined ? {} : { filename: settings.databaseFile }),
      ...(settings.sqlite === undefined ? {} : { sqlite: settings.sqlite })
    })
  ).pipe(
    Layer.provideMerge(Outbound.layer(settings.outbound)),
    Layer.provideMerge(Git.layer(resolve(settings.directory, "git-home"))),
    Layer.provideMerge(
      Layer.mergeAll(
        Circuits.layer,
        LiveConnections.layer,
        Secrets.layer(settings.secrets, settings.secretPlaces, settings.variables),
        Vault.layer(resolve(settings.directory, "vault-key.json")),
        Workers.layer
      )
    ),
    Layer.provide(DataDirectory.layer(settings.directory))
  )

/** The whole system as one layer. Read it from the bottom: each rung stands on those below it. */
export const Program = (settings: Settings) =>
  Server.ServerAddress.layer(settings).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Server.layerRequests(settings.access, taskLanes),
        WebSocket.layer(settings.access, subscriptions)
      )
    ),
    Layer.provideMerge(
      Layer.merge(
        Hub.layer([...boardBroadcasts, ...governanceBroadcasts]),
        Sweep.layer(retentions, settings.keep)
      )
    ),
    Layer.provide([Docs.layer, Failures.layer]),
    Layer.provide(HttpApiBuilder.api(Api)),
    Layer.provide([
      BoardHttp,
      ConversationsHttp,
      GovernanceHttp,
      IdentityHttp,
      InsightHttp,
      IntegrationsHttp,
      RunsHttp
    ]),
    Layer.provide([AuthorizationLive.layer, ExplicitCredential.layer]),
    Layer.provideMerge(Layer.merge(ContractTables.layer(Api, guards), NodeServer.layer)),
    Layer.provideMerge(Layer.merge(Conversations, Integrations)),
    Layer.provideMerge(Layer.provideMerge(Runs, Governance)),
    Layer.provide(HeartbeatTimeout.layer(settings.heartbeatTimeoutSeconds)),
    Layer.provideMerge(Board),
    Layer.provideMerge(Insight(settings)),
    Layer.provide(Answers),
    Layer.provideMerge(WorktreePlaces.layer(settings.worktrees)),
    Layer.provideMerge(Identity(settings.auth)),
    Layer.provideMerge(Ground(settings)),
    // Nobody reads what the runtime counts of its fibers.
    Layer.provide([Layer.setTracerEnabled(false), RuntimeFlags.disableRuntimeMetrics]),
    Layer.provide(Layer.merge(NodeHttpServer.layerContext, NodeContext.layer))
  )
