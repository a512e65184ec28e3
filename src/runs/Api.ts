import * as HttpApi from "@effect/platform/HttpApi"
import { OutputArtifactsApi } from "./artifacts/Api.ts"
import { ControlApi } from "./control/Api.ts"
import { HostsApi } from "./hosts/Api.ts"
import { RunEventsApi } from "./journal/Api.ts"
import { LaunchApi } from "./launch/Api.ts"
import { RecoveryApi } from "./recovery/Api.ts"
import { RegistryApi } from "./registry/Api.ts"
import { WatchdogApi } from "./watchdog/Api.ts"

/** The groups of runs. */
export const RunsApi = HttpApi.make("muster")
  .add(RegistryApi)
  .add(HostsApi)
  .add(ControlApi)
  .add(LaunchApi)
  .add(RecoveryApi)
  .add(WatchdogApi)
  .add(RunEventsApi)
  .add(OutputArtifactsApi)
