import { Schema } from "effect"
import { oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "../text/Paint.ts"

/** What the doctor found about one thing. */
export const Check = Schema.Struct({
  name: Schema.String,
  status: Schema.Literal("ok", "warn", "fail"),
  detail: Schema.String,
  remedy: Schema.optionalWith(Schema.String, { exact: true })
})
export type Check = typeof Check.Type

export const ok = (name: string, detail: string): Check => ({ name, status: "ok", detail })
export const warn = (name: string, detail: string, remedy: string): Check => ({
  name,
  status: "warn",
  detail,
  remedy
})
export const fail = (name: string, detail: string, remedy: string): Check => ({
  name,
  status: "fail",
  detail,
  remedy
})

/** The findings for a person, a line each; below a bad one, what to do about it. */
export const checksText = (checks: ReadonlyArray<Check>, paint: Paint): string => {
  const colour = { ok: paint.green, warn: paint.yellow, fail: paint.red }
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.flatMap(({ detail, name, remedy, status }) => [
    `${colour[status](status.padEnd(4))}  ${paint.bold(name.padEnd(width))}  ${oneLine(detail)}`,
    ...(remedy === undefined ? [] : [`${" ".repeat(width + 8)}${paint.dim(oneLine(remedy))}`])
  ])
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length
  const [warned, failed] = [count("warn"), count("fail")]
  const verdict =
    failed > 0
      ? paint.red(`${failed} of ${checks.length} checks failed.`)
      : warned > 0
        ? paint.yellow(`No check failed; ${warned} of ${checks.length} deserve a look.`)
        : paint.green(`All ${checks.length} checks are fine.`)
  return [...lines, "", verdict].join("\n")
}
