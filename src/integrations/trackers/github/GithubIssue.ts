import { Schema } from "effect"
import { isUrl } from "../../../kernel/UrlSyntax.ts"
import type { CreateCall, ExternalItem } from "../Driver.ts"

/** An issue as it is answered. */
export const Issue = Schema.Struct({
  id: Schema.Int,
  number: Schema.Int.pipe(Schema.between(1, 2_147_483_647)),
  html_url: Schema.optional(Schema.NullOr(Schema.String))
})

/** The answer to a create: the issue, most often with its text, and thereby with the marker of what was asked for. */
export const MadeIssue = Schema.Struct({ ...Issue.fields, body: Schema.optional(Schema.String) })

/** An issue of a list, or a pull request, which lists hold too. */
export const ListedIssue = Schema.Struct({
  ...Issue.fields,
  body: Schema.optional(Schema.NullOr(Schema.String)),
  created_at: Schema.String,
  pull_request: Schema.optional(Schema.Unknown)
})

/** The marker as it stands in a text: a comment, which nobody sees who reads the issue. */
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

/** An address that a browser may open; anything else that a tracker says is left out. */
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
