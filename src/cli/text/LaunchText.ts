import { oneLine } from "../../kernel/Foreign.ts"
import type { Launched, LaunchPreview } from "../../runs/launch/LaunchRequest.ts"
import { roomText } from "./AdmissionText.ts"
import type { Paint } from "./Paint.ts"

/** A run that was started, or what it waits for, and how to go on. */
export const launchedText = (launched: Launched, paint: Paint): string => {
  const { agent, attemptId, provider, taskId } = launched
  const about = `${paint.bold(oneLine(attemptId))}: ${oneLine(agent)} on ${oneLine(taskId)}`
  if (launched.status === "queued") {
    return [
      `${paint.yellow("Queued")} ${about} waits for ${oneLine(roomText(launched.limitingScopes))}`,
      "It begins by itself: nobody has to start it again. muster admission shows its place,",
      `muster run stop ${oneLine(taskId)} takes it out.`
    ].join("\n")
  }
  const next =
    provider === "gateway"
      ? `It works elsewhere, and its agent completes it; muster run status ${oneLine(taskId)} shows where it stands.`
      : `muster run log ${oneLine(taskId)} --follow watches it.`
  return `${paint.green("Started")} ${about}\n${next}`
}

const remarks = (
  title: string,
  said: ReadonlyArray<{ readonly code: string; readonly message: string }>
): ReadonlyArray<string> =>
  said.length === 0
    ? []
    : ["", title, ...said.map(({ code, message }) => `  - ${oneLine(message)} (${oneLine(code)})`)]

const shortened = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return oneLine(text.length > 120 ? `${text.slice(0, 119)}…` : text)
}

/** What a start would launch: each choice, where it comes from, and what stands against it. */
export const previewText = (
  { blockers, dependencyCircuits, drift, manifest, warnings }: LaunchPreview,
  paint: Paint
): string => {
  const { agent, commitPolicy, origins, phase, providerRuntime, runtime, sandboxPresetId } = manifest
  const field = (name: string, value: string | null | undefined, origin = origins[name]) =>
    value === null || value === undefined
      ? []
      : [
          `${paint.dim(`${name}:`.padEnd(10))}${oneLine(value)}${origin === undefined ? "" : paint.dim(` (${origin})`)}`
        ]
  const broken = dependencyCircuits.filter(({ state }) => state !== "closed")
  return [
    blockers.length === 0
      ? `${paint.green("Can start:")} nothing was started yet.`
      : `${paint.red("Can't start")} as it is:`,
    ...blockers.map(({ code, message }) => `  - ${oneLine(message)} (${oneLine(code)})`),
    "",
    ...field("agent", `${agent}, run by ${providerRuntime.provider}`, origins["agent"]),
    ...field("command", runtime.command === null ? null : [runtime.command, ...runtime.args].join(" ")),
    ...field("model", runtime.model),
    ...field("phase", phase),
    ...field("commits", commitPolicy, origins["commitPolicy"]),
    ...field("sandbox", sandboxPresetId, origins["sandboxPresetId"]),
    ...remarks("Said of it:", warnings),
    ...remarks(
      "Not to be reached now:",
      broken.map(({ key, state }) => ({ code: state, message: key }))
    ),
    ...(drift === undefined || drift.length === 0
      ? []
      : [
          "",
          "Other than its parent:",
          ...drift.map(
            ({ field: name, now, parent }) =>
              `  - ${oneLine(name)}: ${shortened(parent)}, now ${shortened(now)}`
          )
        ])
  ].join("\n")
}
