import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { stringify } from "csv-stringify/sync"
import { Stream } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import type { Documents } from "./Telemetry.ts"

/** The columns of a CSV export, in their order. */
const columns = [
  "id",
  "timestamp",
  "type",
  "taskId",
  "agent",
  "durationMs",
  "success",
  "model",
  "inputTokens",
  "outputTokens",
  "cacheTokens",
  "cost"
] as const

/** Those of internal events, which follow when internal events are part of the export. */
const internalColumns = [
  "runKey",
  "gatewayKey",
  "policyDigest",
  "hostKey",
  "protocol",
  "port",
  "decision",
  "reason",
  "approvalId"
] as const

/** How the pages of an export become a file. */
interface Format {
  readonly contentType: string
  readonly head: string
  readonly render: (page: Documents, first: boolean) => string
  readonly tail: string
}

const json: Format = {
  contentType: "application/json",
  head: "[",
  render: (page, first) => `${first ? "" : ","}${page.join()}`,
  tail: "]"
}

/**
 * What a spreadsheet takes for a formula, in its full-width form too, also after white space, marks that nobody sees and
 * controls: some programs skip them. White space that begins a new line or column counts by itself.
 */
const formula = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

/**
 * Lines of a CSV (RFC 4180). What a spreadsheet would take for a formula is escaped with an apostrophe, and whatever some
 * program takes for the end of a line or a cell is quoted: a lone line feed or carriage return begins no row.
 */
const csvLines = (records: ReadonlyArray<object>): string =>
  stringify([...records], {
    quoted_match: /[\p{Cc}\p{Zl}\p{Zp};]/u,
    record_delimiter: "windows",
    cast: { boolean: String, string: (value) => (formula.test(value) ? `'${value}` : value) }
  })

const csv = (internal: boolean): Format => {
  const names = internal ? [...columns, ...internalColumns] : columns
  return {
    contentType: "text/csv; charset=utf-8",
    head: csvLines([names]),
    render: (page) =>
      csvLines(
        page.map((document) => {
          const event = new Map(Object.entries(parseStored<object>(document)))
          return names.map((name) => event.get(name))
        })
      ),
    tail: ""
  }
}

/** Answers with the events as a file to save, page by page. */
export const respondFile = (
  pages: Stream.Stream<Documents>,
  format: "json" | "csv",
  internal: boolean
): HttpServerResponse.HttpServerResponse => {
  const { contentType, head, render, tail } = format === "json" ? json : csv(internal)
  const body = Stream.zipWithIndex(pages).pipe(Stream.map(([page, index]) => render(page, index === 0)))
  return HttpServerResponse.stream(
    Stream.make(head).pipe(Stream.concat(body), Stream.concat(Stream.make(tail)), Stream.encodeText),
    { contentType, headers: { "content-disposition": `attachment; filename="telemetry.${format}"` } }
  )
}
