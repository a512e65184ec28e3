import { Schema } from "effect"
import { isUrl } from "../../../kernel/UrlSyntax.ts"
import type { CreateCall, ExternalItem } from "../Driver.ts"

/** An issue in an answer. */
export const Issue = Schema.Struct({
  id: Schema.Int,
  number: Schema.Int.pipe(Schema.between(1, 2_147_483_647)),
  html_url: Schema.optional(Schema.NullOr(Schema.String))
})

/** The answer to a create: the issue, usually with its text, which holds the marker of the request. */
export const MadeIssue = Schema.Struct({ ...Issue.fields, body: Schema.optional(Schema.String) })

/** A member of a list: an issue, or a pull request. */
export const ListedIssue = Schema.Struct({
  ...Issue.fields,
  body: Schema.optional(Schema.NullOr(Schema.String)),
  created_at: Schema.String,
  pull_request: Schema.optional(Schema.Unknown)
})

/** The marker in the text of an issue: an HTML comment, which readers don't see. */
export const markerLine = (marker: string): string => `<!-- muster-create:${marker} -->`

/** Whether a create with this marker made the issue. */
export const isMadeBy = (
  marker: string,
  { body, pull_request }: { readonly body?: string | null | undefined; readonly pull_request?: unknown }
): boolean => pull_request === undefined && body?.includes(markerLine(marker)) === true

const texts = (value: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : typeof value === "string" ? [value] : value

/** The body of the request that makes an issue. Areas and priorities are labels here. */
export const issueBody = (
  { marker, payload: { areaPath, fields, iterationPath } }: CreateCall,
  milestoneNumber: (title: string) => number | undefined
) => {
  const [milestone] = texts(fields["milestone"] ?? iterationPath)
  const number = milestone === undefined ? undefined : milestoneNumber(milestone)
  const labels = [...texts(fields["labels"]), ...texts(fields["priority"]), ...texts(areaPath)]
  const assignees = texts(fields["assignees"])
  return {
    title: texts(fields["title"]).join(" "),
    body: [...texts(fields["body"]), markerLine(marker)].join("\n\n"),
    ...(labels.length === 0 ? {} : { labels: [...new Set(labels)] }),
    ...(assignees.length === 0 ? {} : { assignees }),
    ...(number === undefined ? {} : { milestone: number })
  }
}

/** The title of the milestone that a create asks for. */
export const milestoneOf = ({ payload: { fields, iterationPath } }: CreateCall): string | undefined =>
  texts(fields["milestone"] ?? iterationPath)[0]

/** A URL that a browser may open; undefined for anything else. */
const webAddress = (url: string | null | undefined): string | undefined => {
  if (url === undefined || url === null || url.length > 2_000 || !isUrl(url)) return undefined
  const { password, protocol, username } = new URL(url)
  return /^https?:$/.test(protocol) && username === "" && password === "" ? url : undefined
}

/** The issue in the form that all trackers share. */
export const itemOf = (project: string, { html_url, id, number }: typeof Issue.Type): ExternalItem => {
  const url = webAddress(html_url)
  return {
    id: String(id),
    key: `${project}#${number}`,
    repository: project,
    number,
    ...(url === undefined ? {} : { url })
  }
}
