import type { ServerResponse } from "node:http"
import { Effect } from "effect"
import { type Arrival, target } from "./Target.ts"

/** An issue as the stand-in keeps it. */
export interface StoodIssue {
  readonly id: number
  readonly number: number
  readonly title: string
  readonly body: string
  readonly labels?: ReadonlyArray<string>
  readonly assignees?: ReadonlyArray<string>
  readonly milestone?: number
  readonly html_url: string
  readonly created_at: string
}

/** Answers a request in a way of its own, and says so; otherwise the stand-in goes on as GitHub would. */
export type Mischief = (
  response: ServerResponse,
  arrival: Arrival,
  issues: ReadonlyArray<StoodIssue>
) => boolean

/** What a stand-in starts with. */
export interface GithubOptions {
  readonly labels?: ReadonlyArray<string>
  readonly milestones?: ReadonlyArray<string>
  readonly assignees?: ReadonlyArray<string>
  readonly archived?: boolean
  /** What it does before it has done what was asked. */
  readonly before?: Mischief
  /** What it does in place of the answer, when it has made the issue. */
  readonly afterwards?: Mischief
}

/**
 * A stand-in for GitHub, which this machine can't reach: a real HTTP server with the few routes of its REST interface
 * that the driver uses, for the one repository acme/board.
 */
export const github = (options: GithubOptions = {}) =>
  Effect.gen(function* () {
    const issues: Array<StoodIssue> = []
    const requests: Array<Arrival> = []
    const json = (response: ServerResponse, status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(body))
    }
    const { url } = yield* target((response, arrival) => {
      requests.push(arrival)
      if (options.before?.(response, arrival, issues) === true) return
      const { pathname, searchParams } = new URL(arrival.path, "http://github")
      const page = <A>(all: ReadonlyArray<A>) => {
        const size = Number(searchParams.get("per_page") ?? 30)
        const from = (Number(searchParams.get("page") ?? 1) - 1) * size
        return json(response, 200, all.slice(from, from + size))
      }
      const root = "/repos/acme/board"
      if (arrival.body !== undefined && pathname === `${root}/issues`) {
        const number = issues.length + 1
        const issue: StoodIssue = {
          ...arrival.body,
          id: 1_000 + number,
          number,
          html_url: `https://github.example/acme/board/issues/${number}`,
          created_at: new Date().toISOString()
        }
        issues.push(issue)
        return options.afterwards?.(response, arrival, issues) === true
          ? undefined
          : json(response, 201, issue)
      }
      switch (pathname) {
        case root:
          return json(response, 200, {
            full_name: "acme/board",
            has_issues: true,
            archived: options.archived ?? false
          })
        case `${root}/labels`:
          return page((options.labels ?? []).map((name) => ({ name })))
        case `${root}/milestones`:
          return page((options.milestones ?? []).map((title, index) => ({ title, number: index + 1 })))
        case `${root}/assignees`:
          return page((options.assignees ?? []).map((login) => ({ login })))
        case `${root}/issues`:
          return page([...issues].reverse())
        default:
          return json(response, 404, { message: "Not Found" })
      }
    })
    return { url, issues, requests }
  })
