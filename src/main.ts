import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Program } from "./Program.ts"

Layer.launch(
  Program({
    directory: process.env.SERVICE_DATA_DIR ?? "./data",
    host: "127.0.0.1",
    port: 3001,
    access: { allowedHosts: [], allowedOrigins: [] },
    auth: {
      enabled: true,
      adminKey: undefined,
      apiKeys: [],
      localhostBypass: false,
      localhostRole: "read-only"
    }
  }).pipe(Layer.tap(() => Effect.log("up")))
).pipe(NodeRuntime.runMain)
