import type { TrackerConnection } from "../../integrations/trackers/Connection.ts"
import type { TrackerCreation } from "../../integrations/trackers/Creation.ts"
import type { DryRun } from "../../integrations/trackers/profiles/Payload.ts"
import type { TrackerSchema } from "../../integrations/trackers/profiles/TrackerSchema.ts"
import type { Issue } from "../../kernel/Failures.ts"
import { after, oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "./Paint.ts"

/** The margin of the further lines of a field's value. */
const deeper = "      "

/** The connection to the tracker. */
export const connectionText = (connection: TrackerConnection, paint: Paint): string => {
  if (!connection.configured) {
    return "No connection to a tracker: PUT /api/integrations/trackers/connection sets one. The local one needs none."
  }
  const { baseUrl, credentialAvailable, credentialRef, enabled, project, provider } = connection
  const at = baseUrl === undefined ? "" : ` at ${baseUrl}`
  const credential =
    credentialRef === undefined
      ? "without a credential"
      : `with ${credentialRef}${credentialAvailable ? "" : ", which SERVICE_SECRETS does not list"}`
  const state = enabled ? paint.green("on") : paint.yellow("off")
  return `${paint.bold("Connection:")} ${oneLine(`${provider} ${project}${at}, ${credential},`)} ${state}`
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The schema of a project. */
export const schemaText = (schema: TrackerSchema | null, paint: Paint): string => {
  if (schema === null) return "Schema: none yet; muster trackers introspect PROVIDER PROJECT reads one."
  const { fields, incomplete, introspectedAt, planningPaths, project, provider, tags, workItemTypes } = schema
  const facts = [
    counted(workItemTypes.length, "type"),
    counted(fields.length, "field"),
    counted(planningPaths.length, "path"),
    counted(tags.length, "tag")
  ]
  const more = incomplete.length === 0 ? "" : `; ${incomplete.join(", ")} go on beyond what was read`
  const text = `${provider} ${project} of ${introspectedAt}: ${facts.join(", ")}${more}`
  return `${paint.bold("Schema:")} ${oneLine(text)}`
}

const issueLines = (issues: ReadonlyArray<Issue>): ReadonlyArray<string> =>
  issues.map(({ message, path }) => oneLine(`  - ${path}: ${message}`))

/** A dry run: what would be sent, and what is wrong with it. */
export const dryRunText =
  ({ errors, payload, warnings }: typeof DryRun.Type) =>
  (paint: Paint): string =>
    [
      `${paint.bold("Would make")} ${oneLine(`${payload.workItemType} at ${payload.provider} ${payload.project}`)}`,
      ...Object.entries(payload.fields).map(([name, value]) =>
        after(
          `  ${paint.dim(`${oneLine(name)}:`)}`,
          deeper,
          typeof value === "string" ? value : value.join(", ")
        )
      ),
      ...(errors.length === 0 ? [] : [paint.red("It would be refused:"), ...issueLines(errors)]),
      ...(warnings.length === 0 ? [] : [paint.yellow("Note:"), ...issueLines(warnings)])
    ].join("\n")

/** The item that was made. */
export const creationText =
  ({ backlink, taskId, warnings }: TrackerCreation) =>
  (paint: Paint): string =>
    [
      `${paint.green("Created")} ${paint.bold(oneLine(backlink.key))} for ${taskId}${backlink.url === undefined ? "" : ` ${oneLine(backlink.url)}`}`,
      ...issueLines(warnings)
    ].join("\n")
