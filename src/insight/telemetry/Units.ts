export { lastRunStarted, record } from "./TelemetryRecord.ts"
