import * as HttpApi from "@effect/platform/HttpApi"
import { HostsApi } from "./hosts/Api.ts"
import { RegistryApi } from "./registry/Api.ts"

/** The groups of runs. */
export const RunsApi = HttpApi.make("muster").add(RegistryApi).add(HostsApi)
