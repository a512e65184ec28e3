import { Arbitrary, FastCheck, Option, Schema } from "effect"
import { type AnySchema, type Route, routes } from "./Contract.ts"
import { bodies, mediaTypes, mutated, spoils, words } from "./Hostile.ts"

/** A request that the fuzzer tries. */
export interface Attempt {
  /** The name of the route. */
  readonly route: string
  /** The target; `{task}` and its like stand for ids of things that are there. */
  readonly target: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** True when the target is no longer what the route's path says, so that any route may answer. */
  readonly astray: boolean
}

/** What the parameter of a path, or a member of a body, is the id of. */
const kinds: Readonly<Record<string, string>> = {
  adapterId: "adapter",
  approvalId: "approval",
  artifactId: "artifact",
  attemptId: "attempt",
  channelId: "channel",
  commentId: "comment",
  dependencyId: "below",
  dependsOn: "other",
  entryId: "entry",
  findingId: "finding",
  messageId: "message",
  mappingId: "mapping",
  membershipId: "member",
  observationId: "observation",
  profileId: "profile",
  replyToId: "message",
  replyToSquadMessageId: "message",
  squadMessageId: "message",
  ruleId: "rule",
  runId: "attempt",
  taskId: "task",
  taskIds: "task",
  rosterId: "roster",
  sessionId: "session",
  templateId: "template",
  workspaceId: "workspace"
}

/** What an `:id` is the id of, by where it stands; elsewhere it is a task's. */
const places: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\/api\/admission\/:id/, "reservation"],
  [/^\/api\/agents\/register\//, "registration"],
  [/^\/api\/agents\/permissions\/approvals\//, "approval"],
  [/^\/api\/auth\/tokens\//, "token"],
  [/^\/api\/ceremonies\//, "ceremony"],
  [/^\/api\/config\/agent-profiles\//, "agentProfile"],
  [/^\/api\/chat\/sessions\//, "session"],
  [/^\/api\/hooks\//, "hook"],
  [/\/device-sessions\//, "device"],
  [/\/invitations\//, "invitation"],
  [/\/members\//, "member"],
  [/^\/api\/notifications\//, "notification"],
  [/^\/api\/templates\//, "template"]
]

const kindOf = (route: Route, parameter: string): string =>
  kinds[parameter] ?? places.find(([place]) => place.test(route.path))?.[1] ?? "task"

/** The same value with ids of things that are there in the members that hold ids. */
const pointed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(pointed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined
      if (kind === undefined) return [key, pointed(member)]
      return [key, Array.isArray(member) ? [`{${kind}}`] : `{${kind}}`]
    })
  )
}

const either = <A>(one: FastCheck.Arbitrary<A>, other: FastCheck.Arbitrary<A>, weights: [number, number]) =>
  FastCheck.oneof({ weight: weights[0], arbitrary: one }, { weight: weights[1], arbitrary: other })

/** Values of a schema as they stand on the wire. Some values of its type have no wire form; they are passed over. */
const encoded = (schema: AnySchema): FastCheck.Arbitrary<unknown> => {
  const encode = Schema.encodeOption(schema)
  return Arbitrary.make(schema)
    .map((value) => encode(value))
    .filter(Option.isSome)
    .map(({ value }) => value)
}

const asQuery = (value: unknown): string =>
  Object.entries(Object(value))
    .flatMap(([name, member]) => [member].flat().map((one) => `${name}=${safe(String(one))}`))
    .join("&")

/** A text in a URL; half a surrogate pair has no form there. */
const safe = (text: string): string => encodeURIComponent(text.toWellFormed())

const pathsOf = (route: Route): FastCheck.Arbitrary<string> => {
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "")
  const filled = parameters.map((name) =>
    FastCheck.oneof(
      { weight: 8, arbitrary: FastCheck.constant(`{${kindOf(route, name)}}`) },
      { weight: 1, arbitrary: FastCheck.string({ minLength: 1 }).map(safe) },
      { weight: 1, arbitrary: FastCheck.constantFrom(...words).map(safe) }
    )
  )
  return FastCheck.tuple(...filled).map((values) =>
    parameters.reduce((path, name, index) => path.replace(`:${name}`, () => values[index] ?? ""), route.path)
  )
}

const queriesOf = ({ querySchema }: Route): FastCheck.Arbitrary<string> => {
  const named = querySchema === undefined ? FastCheck.constant("") : encoded(querySchema).map(asQuery)
  const names = querySchema === undefined ? ["a"] : Object.keys(Schema.encodedSchema(querySchema).ast)
  const odd = FastCheck.array(
    FastCheck.tuple(
      FastCheck.constantFrom(...names, "limit", "offset", "q", "status", "__proto__", "limit[]"),
      FastCheck.constantFrom(...words)
    ),
    { maxLength: 4 }
  ).map((pairs) => pairs.map(([name, value]) => `${name}=${safe(value)}`).join("&"))
  return either(named, odd, [3, querySchema === undefined ? 0 : 2]).map((query) =>
    query === "" ? "" : `?${query}`
  )
}

const conditions = FastCheck.oneof(
  { weight: 8, arbitrary: FastCheck.constant({}) },
  { weight: 1, arbitrary: FastCheck.constant({ "if-match": '"task:{task}:1"' }) },
  {
    weight: 2,
    arbitrary: FastCheck.record(
      {
        "if-match": FastCheck.constantFrom("*", "", '"task:x:1"', 'W/"task:x:2"', '"task:a:b:1"', "a, b"),
        "x-resource-revision": FastCheck.constantFrom("1", "0", "-1", "1.5", "999999999999999", "1, 1", "x")
      },
      { requiredKeys: [] }
    )
  }
)

const mediaTypesSent = (fitting: ReadonlyArray<string>) =>
  either(
    FastCheck.constantFrom<string | undefined>(...fitting),
    FastCheck.constantFrom(...mediaTypes),
    [9, 1]
  )

/** A body that is text, and not JSON, is lines of it: tasks, spoiled now and then, with things that are no lines. */
const lines = (task: AnySchema): FastCheck.Arbitrary<string | Uint8Array> =>
  FastCheck.array(bodies(mutated(encoded(task))), { minLength: 1, maxLength: 5 }).map((all) =>
    all.map((line) => (typeof line === "string" ? line.replaceAll("\n", " ") : "")).join("\n")
  )

const payloadOf = (name: string): AnySchema =>
  routes.find((route) => route.name === name)?.payloads.get("application/json") ?? Schema.Unknown

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]

const attemptsAt = (route: Route): FastCheck.Arbitrary<Attempt> => {
  const payload = route.payloads.get("application/json")
  const takesLines = route.payloads.has("text/plain")
  const takesBody = route.payloads.size > 0
  const valid = payload === undefined ? FastCheck.jsonValue() : encoded(payload)
  const value = mutated(either(valid.map(pointed), valid, [4, 1]))
  const sendsBody = FastCheck.oneof(
    { weight: takesBody ? 12 : 1, arbitrary: FastCheck.constant(true) },
    { weight: takesBody ? 1 : 12, arbitrary: FastCheck.constant(false) }
  )
  return FastCheck.record({
    path: pathsOf(route),
    query: queriesOf(route),
    conditions,
    mediaType: mediaTypesSent(takesLines ? ["application/x-ndjson", "text/plain"] : ["application/json"]),
    body: takesLines ? lines(payloadOf("tasks.create")) : bodies(value),
    sendsBody,
    method: either(FastCheck.constant<string>(route.method), FastCheck.constantFrom(...methods), [30, 1]),
    spoil: either(
      FastCheck.constant<readonly [string, number] | undefined>(undefined),
      FastCheck.tuple(FastCheck.constantFrom(...spoils), FastCheck.nat()),
      [20, 1]
    )
  }).map(({ body, conditions, mediaType, method, path, query, sendsBody, spoil }) => {
    // A target that does not begin with a slash is no HTTP: the server cannot tell that HEAD wants no body.
    const at = spoil === undefined ? 0 : Math.max(spoil[1] % path.length, method === "HEAD" ? 1 : 0)
    const target = spoil === undefined ? path : `${path.slice(0, at)}${spoil[0]}${path.slice(at)}`
    return {
      route: route.name,
      method,
      target: `${target}${query}`,
      astray: spoil !== undefined || method !== route.method || path.includes("//") || path.endsWith("/"),
      headers: {
        ...conditions,
        ...(sendsBody && mediaType !== undefined ? { "content-type": mediaType } : {})
      },
      ...(sendsBody ? { body } : {})
    }
  })
}

/** Requests to all the routes of the contract, from their own schemas and from what such schemas are meant to keep out. */
export const attempts: FastCheck.Arbitrary<Attempt> = FastCheck.oneof(...routes.map(attemptsAt))
