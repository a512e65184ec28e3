import { Logger } from "effect"
import { redactText } from "./Redaction.ts"

/** Lines for people. */
export const pretty = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(Logger.map(Logger.logfmtLogger, redactText))
)

/** A JSON object a line, for collectors. Nothing leaves a log before its secrets are gone. */
export const json = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(Logger.map(Logger.jsonLogger, redactText))
)
