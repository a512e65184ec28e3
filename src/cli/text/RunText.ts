import { Option } from "effect"
import { oneLine } from "../../kernel/Foreign.ts"
import type { AttemptStatus } from "../../runs/attempts/AttemptStatus.ts"
import type { MessageTaken, RunStatus, Stopped } from "../../runs/control/Control.ts"
import type { Usage } from "../../runs/usage/Usage.ts"
import type { Paint } from "./Paint.ts"

/** How a run stands, in its colour. */
export const runState = (status: AttemptStatus, paint: Paint): string => {
  switch (status) {
    case "success":
      return paint.green(status)
    case "running":
      return paint.cyan(status)
    case "queued":
    case "partial":
    case "blocked":
      return paint.yellow(status)
    case "failed":
    case "interrupted":
      return paint.red(status)
  }
}

/** What a run has used, a line for each model. */
export const usageLines = (usage: ReadonlyArray<Usage>): ReadonlyArray<string> =>
  usage.map(({ cacheReadTokens, cacheWriteTokens, cost, inputTokens, model, outputTokens }) => {
    const cached = cacheReadTokens + cacheWriteTokens
    return [
      `${oneLine(model ?? "a model without a name")}: ${inputTokens} tokens in, ${outputTokens} out`,
      ...(cached === 0 ? [] : [`${cacheReadTokens} read from and ${cacheWriteTokens} written to a cache`]),
      ...(cost === null ? [] : [`$${cost}`])
    ].join(", ")
  })

/** Where the result of a run is to be had; `named` is the attempt that a command was asked about. */
export const resultHint = (taskId: string, named: Option.Option<string>): string => {
  const attempt = Option.match(named, { onNone: () => "", onSome: (id) => ` --attempt ${oneLine(id)}` })
  return `muster run result ${oneLine(taskId)}${attempt} tells what was claimed and what was seen.`
}

/** Where the work on a task stands: what was launched, what can be done with it now, and why the rest can't. */
export const standingText = (status: RunStatus, named: Option.Option<string>, paint: Paint): string => {
  const { agent, attemptId, completionResult, controls, endedAt, provider, queueId, startedAt } = status
  const task = oneLine(status.taskId)
  if (attemptId === null || status.status === null) {
    return `Task ${task} has had no run. muster run start ${task} starts one.`
  }
  const field = (name: string, value: string | null | undefined) =>
    value === null || value === undefined ? [] : [`${paint.dim(`${name}:`.padEnd(10))}${oneLine(value)}`]
  const launch = status.runLaunchManifest
  const isOver = status.status !== "running" && status.status !== "queued"
  const available = controls.controls.filter((one) => one.available)
  const reasons = new Map<string, ReadonlyArray<string>>()
  for (const { action, available, reason } of controls.controls) {
    if (available || reason === undefined) continue
    reasons.set(reason, [...(reasons.get(reason) ?? []), action])
  }
  return [
    `${runState(status.status, paint)}  ${paint.bold(oneLine(attemptId))}: ${oneLine(agent ?? "nobody")} (${oneLine(provider ?? "unknown")}) on ${task}`,
    ...field("since", startedAt),
    ...field("until", endedAt),
    ...field("waits", queueId === undefined || status.status !== "queued" ? null : `as ${queueId}`),
    ...field("continues", status.parentAttemptId),
    ...field("phase", launch?.phase),
    ...field("commits", launch?.commitPolicy),
    ...field("works in", status.taskEnvelope?.workspace.path),
    ...usageLines(status.usage).flatMap((line) => field("used", line)),
    ...(isOver || status.status === "queued"
      ? []
      : [
          ...field("can", available.map(({ action }) => action).join(", ") || "nothing"),
          ...[...reasons].map(([reason, actions]) =>
            paint.dim(`  not ${oneLine(actions.join(", "))}: ${oneLine(reason)}`)
          )
        ]),
    ...(status.status === "queued"
      ? ["It begins by itself. muster admission shows its place and what it waits for."]
      : []),
    ...(completionResult?.degradations.map(({ message }) => `  - ${oneLine(message)}`) ?? []),
    ...(isOver ? [resultHint(task, named)] : [])
  ].join("\n")
}

/** How a run was stopped. */
export const stoppedText = ({ attemptId, status, taskId }: Stopped, paint: Paint): string =>
  `${paint.green("Stopped")} ${paint.bold(oneLine(attemptId))} on ${oneLine(taskId)}: it ended ${status}`

/** Whether a message reached the agent. */
export const messageText = ({ attemptId, delivered, reason }: MessageTaken, paint: Paint): string =>
  delivered
    ? `${paint.green("Delivered")} to ${paint.bold(oneLine(attemptId))}`
    : `Recorded for ${paint.bold(oneLine(attemptId))}, and not delivered${reason === undefined ? "" : `: ${oneLine(reason)}`}`
