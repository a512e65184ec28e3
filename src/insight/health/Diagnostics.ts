import { Context, Effect, Layer } from "effect"
import { LiveConnections } from "../../kernel/LiveConnections.ts"
import { iso, nowIso } from "../../kernel/Time.ts"
import { interfaceVersion, version } from "../../kernel/Version.ts"
import { Workers } from "../../kernel/Worker.ts"
import { SqliteHealth } from "../maintenance/SqliteHealth.ts"
import { CircuitControl } from "./CircuitControl.ts"
import { summaryOf } from "./CircuitReport.ts"
import type { DeepHealth } from "./DeepHealth.ts"
import { Health } from "./Health.ts"

/** Looks into every part of the service. */
export class Diagnostics extends Context.Tag("muster/Diagnostics")<
  Diagnostics,
  { readonly deep: Effect.Effect<DeepHealth> }
>() {
  static readonly layer = Layer.effect(
    Diagnostics,
    Effect.gen(function* () {
      const health = yield* Health
      const workers = yield* Workers
      const connections = yield* LiveConnections
      const circuitControl = yield* CircuitControl
      const sqliteHealth = yield* SqliteHealth
      const startedAt = yield* nowIso

      const deep = Effect.gen(function* () {
        const { checks } = yield* health.ready
        const circuits = yield* circuitControl.all
        const sqlite = yield* sqliteHealth.report
        const fine =
          Object.values(checks).every(({ status }) => status === "ok") && sqlite.healthPosture !== "unhealthy"
        return {
          status: fine ? ("ok" as const) : ("degraded" as const),
          version,
          interfaceVersion,
          startedAt,
          timestamp: yield* nowIso,
          checks,
          webSockets: { connections: yield* connections.count },
          workers: (yield* workers.heartbeats).map(({ lastBeatAt, startedAt, ...worker }) => ({
            ...worker,
            startedAt: iso(startedAt),
            lastBeatAt: iso(lastBeatAt)
          })),
          circuitBreakers: circuits.map(({ key, state }) => ({ key, state })),
          dependencyCircuits: {
            summary: summaryOf(circuits),
            circuits,
            overrides: circuits.flatMap(({ key, override }) =>
              override === undefined ? [] : [{ key, ...override }]
            )
          },
          sqlite
        }
      })
      return Diagnostics.of({ deep })
    })
  )
}
