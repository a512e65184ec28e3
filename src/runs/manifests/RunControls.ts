import type { AgentProvider } from "../../board/agents-config/AgentConfig.ts"

/** What can be done to a run while it runs, or with its conversation afterwards (spec README, rulings 80 and 90). */
export type ControlAction =
  | "stop"
  | "message"
  | "steer"
  | "interrupt"
  | "resume"
  | "follow-up"
  | "fork"
  | "compact"
  | "archive"
  | "close"
  | "rewind"

/** A control: what people call it, and the capability of the runtime that it takes. */
export interface RunControl {
  readonly action: ControlAction
  readonly label: string
  readonly capabilityId: string
}

/** All controls, in the order in which they are shown. */
export const runControls: ReadonlyArray<RunControl> = [
  { action: "stop", label: "Stop", capabilityId: "run.stop" },
  { action: "message", label: "Send a message", capabilityId: "run.message" },
  { action: "steer", label: "Steer", capabilityId: "conversation.steer" },
  { action: "interrupt", label: "Interrupt", capabilityId: "conversation.interrupt" },
  { action: "resume", label: "Resume", capabilityId: "conversation.resume" },
  { action: "follow-up", label: "Follow up", capabilityId: "conversation.follow-up" },
  { action: "fork", label: "Fork", capabilityId: "conversation.fork" },
  { action: "compact", label: "Compact", capabilityId: "conversation.compact" },
  { action: "archive", label: "Archive", capabilityId: "conversation.archive" },
  { action: "close", label: "Close", capabilityId: "conversation.close" },
  { action: "rewind", label: "Rewind", capabilityId: "conversation.rewind" }
]

/** What a phase restricts (ruling 56). */
export const phaseDimensions = ["filesystem", "shell", "network", "tools", "commit", "publish"] as const
export type PhaseDimension = (typeof phaseDimensions)[number]

/** The capability to hold an agent to what a phase says of a dimension. */
export const phaseCapability = (dimension: PhaseDimension): string => `phase.${dimension}`

/** What the rules of a sandbox need of a runtime (ruling 98). */
export const sandboxCapabilities = [
  "filesystem.sandbox",
  "network.egress",
  "environment.passthrough",
  "credentials.broker"
] as const

/** Every capability that the service knows what to do with, in the order in which manifests list them. */
export const knownCapabilities: ReadonlyArray<string> = [
  ...runControls.map(({ capabilityId }) => capabilityId),
  ...phaseDimensions.map(phaseCapability),
  ...sandboxCapabilities
]

/** What an adapter of the service does by itself, whatever program it runs, or never does. */
export interface Guarantee {
  readonly state: "supported" | "advisory" | "unsupported"
  readonly reason: string
}

const conversation = (reason: string): Readonly<Record<string, Guarantee>> =>
  Object.fromEntries(
    runControls
      .filter(({ capabilityId }) => capabilityId.startsWith("conversation."))
      .map(({ capabilityId }) => [capabilityId, { state: "unsupported", reason }])
  )

/** What holds for every agent that the service starts as a process of its own. */
const child: Readonly<Record<string, Guarantee>> = {
  "run.stop": { state: "supported", reason: "The service ends the process and its whole group" },
  "environment.passthrough": {
    state: "supported",
    reason: "The service hands on the variables that are named, and no others"
  }
}

/** What each kind of adapter guarantees. What is not listed, only the program that it runs could say. */
export const guarantees: Readonly<Record<AgentProvider, Readonly<Record<string, Guarantee>>>> = {
  gateway: {
    ...conversation("An agent that works elsewhere has no conversation here"),
    "run.stop": { state: "supported", reason: "The service ends the attempt; no process is its own" },
    "run.message": {
      state: "advisory",
      reason: "The message is recorded; an agent that works elsewhere reads it when it asks"
    }
  },
  command: {
    ...conversation("A command has no conversation: it ends with its answer"),
    ...child,
    "run.message": { state: "unsupported", reason: "Standard input ends after the prompt" }
  },
  acp: child,
  "app-server": child
}
