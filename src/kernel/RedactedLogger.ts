import { Logger } from "effect"
import { redactText } from "./Redaction.ts"

/** Logs lines of `key=value` to stderr, without secrets. */
export const pretty = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(Logger.map(Logger.logfmtLogger, redactText))
)

/** Logs a JSON object a line to stderr, for collectors, without secrets. */
export const json = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(Logger.map(Logger.jsonLogger, redactText))
)
