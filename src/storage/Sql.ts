import * as Statement from "@effect/sql/Statement"
import { Context, Effect } from "effect"
import { codeOf } from "../kernel/FileTrouble.ts"
import type { Connection } from "./Connection.ts"

/** One open unit of work, or one read: statements reach the connection through it and through nothing else. */
export interface SqlScope {
  readonly connection: Connection
  /** True when the unit has ended: a statement that comes late must not reach somebody else's transaction. */
  over: boolean
  /** True when a statement ran that may have changed something, so that a failure has something to take back. */
  wrote: boolean
  /** The streams that the unit moved, for those who wait for one of them; a read moves none. */
  moved: Set<string> | undefined
}

/** The scope of a unit that begins. */
export const scopeOf = (connection: Connection): SqlScope => ({
  connection,
  over: false,
  wrote: false,
  moved: undefined
})

/**
 * The right to run statements. It stands in the requirements of every query, and only `Storage.read` and
 * `Storage.write` remove it, so a query outside of both does not compile. Ports whose two sides meet inside a unit show
 * it on purpose.
 *
 * @effect-leakable-service
 */
export class Sql extends Context.Tag("muster/Sql")<Sql, SqlScope>() {}

/** The database refused a statement. Callers can't act on it, so it is a defect; the door turns it into a 500 or 503. */
export class SqlDefect extends Error {
  readonly code: string
  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { cause: error })
    this.name = "SqlDefect"
    this.code = codeOf(error) ?? "SQLITE_ERROR"
  }
}

/** SQL text with `?` where its parameters stand. */
export interface Query {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

type Value = string | number | bigint | null | Uint8Array

const texts = new WeakMap<TemplateStringsArray, string>()

/**
 * A statement whose values are all plain: `sql\`SELECT ... WHERE id = ${id}\``. Its text is made once for the place in
 * the code that it stands in, so writing it costs next to nothing; a value never becomes part of the text.
 */
export const sql = (template: TemplateStringsArray, ...parameters: ReadonlyArray<Value>): Query => {
  let text = texts.get(template)
  if (text === undefined) {
    text = template.join("?")
    texts.set(template, text)
  }
  return { text, parameters }
}

const compose = Statement.make(
  Effect.dieMessage("Statements run through rows"),
  Statement.makeCompilerSqlite(),
  [],
  undefined
)

/** Puts statements together out of fragments, for those whose text depends on the question: filters, columns. */
export type Compose = typeof compose

/** A statement, plain or composed. */
export type Build = Query | ((compose: Compose) => Statement.Statement<unknown>)

const queryOf = (build: Build): Query => {
  if (typeof build !== "function") return build
  const [text, parameters] = build(compose).compile()
  return { text, parameters }
}

/** Runs a statement on a connection; a refusal is a defect. */
export const runOn = <Row extends object>(
  connection: Connection,
  build: Build
): Effect.Effect<ReadonlyArray<Row>> => Effect.suspend(() => execute<Row>(connection, queryOf(build)))

const execute = <Row extends object>(
  connection: Connection,
  query: Query
): Effect.Effect<ReadonlyArray<Row>> => {
  try {
    return Effect.succeed(rowsOf<Row>(connection, query))
  } catch (error) {
    return Effect.die(error)
  }
}

const rowsOf = <Row extends object>(
  connection: Connection,
  { parameters, text }: Query
): ReadonlyArray<Row> => {
  try {
    // The statement beside it says which rows it gives.
    return connection.all(text, parameters) as ReadonlyArray<Row>
  } catch (error) {
    throw new SqlDefect(error)
  }
}

/**
 * Runs one statement and gives its rows. `Row` describes the selected columns; the statement beside it is the
 * proof, as storage is written by this program alone.
 */
export const rows = <Row extends object>(build: Build): Effect.Effect<ReadonlyArray<Row>, never, Sql> =>
  inScope((scope) => {
    const query = queryOf(build)
    if (!readsOnly.test(query.text)) scope.wrote = true
    return execute<Row>(scope.connection, query)
  })

const readsOnly = /^\s*(?:SELECT|WITH)\b/

const inScope = <A>(use: (scope: SqlScope) => Effect.Effect<A>): Effect.Effect<A, never, Sql> =>
  Effect.withFiberRuntime<A, never, Sql>((fiber) => {
    const scope = Context.unsafeGet(fiber.currentContext, Sql)
    return scope.over ? Effect.die(new UnitIsOver()) : use(scope)
  })

/** Runs a statement at once; what SQLite has against it ends the whole of which it is a part. */
export type Execute = <Row extends object>(query: Query) => ReadonlyArray<Row>

/**
 * Runs several statements in one step, for what every change writes: a step for each costs about as much as the statement
 * itself. The streams named move with it.
 */
export const together = <A>(
  moved: ReadonlyArray<string>,
  work: (execute: Execute) => A
): Effect.Effect<A, never, Sql> =>
  inScope((scope) => {
    scope.wrote = true
    move(scope, moved)
    return Effect.sync(() => work((query) => rowsOf(scope.connection, query)))
  })

/** The first row, if there is one. */
export const firstRow = <Row extends object>(build: Build): Effect.Effect<Row | undefined, never, Sql> =>
  Effect.map(rows<Row>(build), (all) => all[0])

/** Runs a statement for its effect. */
export const run = (build: Build): Effect.Effect<void, never, Sql> => Effect.asVoid(rows(build))

/**
 * Says that a stream moves with this unit: its commit wakes whoever waits for it. Events say it of their resource, of
 * the outbox and of the audit chain; a queue that a worker serves says it where something is put into it.
 */
export const moves = (...streams: ReadonlyArray<string>): Effect.Effect<void, never, Sql> =>
  inScope((scope) => {
    move(scope, streams)
    return Effect.void
  })

const move = (scope: SqlScope, streams: ReadonlyArray<string>): void => {
  if (streams.length === 0) return
  scope.moved ??= new Set()
  for (const stream of streams) scope.moved.add(stream)
}

/** A statement arrived after its unit of work had ended. */
export class UnitIsOver extends Error {
  override readonly name = "UnitIsOver"
  override readonly message = "This unit of work is over: its statements must run before it ends"
}
