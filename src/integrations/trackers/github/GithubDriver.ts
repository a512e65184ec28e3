import { Effect, Schema } from "effect"
import { Circuits } from "../../../kernel/outbound/Circuits.ts"
import { Outbound, type OutboundService } from "../../../kernel/outbound/Outbound.ts"
import { iso, parseInstant } from "../../../kernel/Time.ts"
import { type Access, CallFailed, RequestPatience, type TrackerDriver } from "../Driver.ts"
import { ask, githubCircuit } from "./GithubClient.ts"
import { isMadeBy, issueBody, itemOf, ListedIssue, MadeIssue, milestoneOf } from "./GithubIssue.ts"
import { Assignees, contentOf, Labels, Milestones, Repository } from "./GithubSchema.ts"

/** How many pages of a list are read, and how many members a page has. */
const pageLimit = 10
const listPage = 100
const issuePage = 50

/** How far the tracker's clock may be behind ours, in milliseconds. */
const clockMargin = 24 * 3_600_000

/** How long the whole of an introspection may take, in milliseconds. */
const introspectionLimit = 30_000

/** The driver for the issues of a repository at GitHub, or at a service with its REST interface. */
export const githubDriver = Effect.gen(function* () {
  yield* Effect.flatMap(Circuits, ({ register }) => register(githubCircuit))
  return driverOver(yield* Outbound, yield* RequestPatience)
})

/** The driver; a request may take `timeoutMs` milliseconds. */
const driverOver = (outbound: OutboundService, timeoutMs: number): TrackerDriver => {
  const send = ask(outbound, timeoutMs)

  /** Reads a list page by page, until a page is not full; `complete` is false when the page limit ended it. */
  const pages = <A, I>(access: Access, path: string, page: Schema.Schema<ReadonlyArray<A>, I>) =>
    Effect.gen(function* () {
      const all: Array<A> = []
      for (let number = 1; number <= pageLimit; number++) {
        const separator = path.includes("?") ? "&" : "?"
        const found = yield* send(
          access,
          { path: `${path}${separator}per_page=${listPage}&page=${number}` },
          page
        )
        all.push(...found.slice(0, listPage))
        if (found.length < listPage) return { all, complete: true }
      }
      return { all, complete: false }
    })

  const milestones = (access: Access) => pages(access, "/milestones?state=open", Milestones)

  return {
    provider: "github",

    introspect: (access) =>
      Effect.gen(function* () {
        const repository = yield* send(access, { path: "" }, Repository)
        const [labels, periods, assignees] = yield* Effect.all(
          [pages(access, "/labels", Labels), milestones(access), pages(access, "/assignees", Assignees)],
          { concurrency: 3 }
        )
        const incomplete = Object.entries({ tags: labels, iterations: periods, assignees }).flatMap(
          ([name, { complete }]) => (complete ? [] : [name])
        )
        return contentOf({
          project: access.project,
          repository,
          labels: labels.all,
          milestones: periods.all,
          assignees: assignees.all,
          incomplete
        })
      }).pipe(
        Effect.timeoutFail({
          duration: introspectionLimit,
          onTimeout: () => new CallFailed({ reason: "timeout", retryable: true, mayHaveArrived: false })
        })
      ),

    create: (access, call) =>
      Effect.gen(function* () {
        // A milestone is sent by its number, which may have changed since the schema was read.
        const known = milestoneOf(call) === undefined ? [] : (yield* milestones(access)).all
        const body = issueBody(call, (title) => known.find((one) => one.title === title)?.number)
        const made = yield* send(access, { path: "/issues", body }, MadeIssue)
        // An answer with another text is not the issue that was asked for: whether that one was made is unknown.
        return made.body === undefined || isMadeBy(call.marker, made)
          ? itemOf(access.project, made)
          : yield* new CallFailed({ reason: "unexpected-answer", retryable: false, mayHaveArrived: true })
      }),

    // The list is read instead of the search, which finds a new issue only after a while.
    find: (access, marker, since) =>
      Effect.gen(function* () {
        const from = Math.max(0, since - clockMargin)
        const query = `state=all&sort=created&direction=desc&since=${iso(from)}&per_page=${issuePage}`
        // Somebody may have copied the text of the issue: the one with the lowest number is ours.
        let first: typeof ListedIssue.Type | undefined
        for (let number = 1; number <= pageLimit; number++) {
          const page = Schema.Array(ListedIssue)
          const found = yield* send(access, { path: `/issues?${query}&page=${number}` }, page)
          for (const issue of found) {
            const isCopy = first !== undefined && first.number < issue.number
            if (!isCopy && isMadeBy(marker, issue)) first = issue
          }
          const last = parseInstant(found.at(-1)?.created_at ?? "")
          if (found.length < issuePage || (last !== undefined && last < from)) {
            return first && itemOf(access.project, first)
          }
        }
        if (first !== undefined) return itemOf(access.project, first)
        return yield* new CallFailed({
          reason: "too-much-to-look-through",
          retryable: false,
          mayHaveArrived: true
        })
      })
  }
}
