import * as PlatformError from "@effect/platform/Error"
import { Cause, ConfigError, Option } from "effect"
import { explain } from "./Config.ts"
import { reasonOf } from "./kernel/FileTrouble.ts"
import { nativeFault } from "./kernel/NativeBuild.ts"
import { DatabaseDamaged } from "./storage/place/Damage.ts"

/** What an operator is told about a failure that the start has a name for. */
const told = (failure: object): string => {
  if (ConfigError.isConfigError(failure)) return explain(failure)
  return PlatformError.isPlatformError(failure)
    ? toldOfFile(failure)
    : String(Reflect.get(failure, "message"))
}

const toldOfFile = (error: PlatformError.PlatformError): string => {
  const path = error._tag === "SystemError" ? error.pathOrDescriptor : undefined
  return `Can't work with ${path ?? "a file"}: ${reasonOf(error)}. It belongs to the data directory: check who owns it and that its disk has room, or set SERVICE_DATA_DIR to another directory.`
}

/**
 * What a start that fails tells the operator: one paragraph, with what to change and without a stack. Undefined for what
 * nobody but its programmer can act on.
 */
export const refusalOf = (cause: Cause.Cause<object>): string | undefined => {
  const native = nativeFault(Cause.squash(cause))
  if (native !== undefined) return native
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure !== undefined) return told(failure)
  const defect = Option.getOrUndefined(Cause.dieOption(cause))
  return defect instanceof DatabaseDamaged || PlatformError.isPlatformError(defect) ? told(defect) : undefined
}
