import type { AgentConfig } from "../../board/agents-config/AgentConfig.ts"
import type { StoredTask } from "../../board/tasks/Task.ts"
import { sealed, sha256 } from "../../kernel/Digest.ts"
import { redactJson } from "../../kernel/Redaction.ts"
import type { Documents } from "../attempts/Units.ts"
import type { LaunchManifest, Origin } from "../documents/LaunchManifest.ts"
import { leavesOf, type Phase, type PhaseEvidence, type Remark } from "../documents/Phase.ts"
import type { CommitPolicy } from "../documents/Policies.ts"
import type { Baseline, TaskEnvelope } from "../documents/TaskEnvelope.ts"
import type { AgentRuntime } from "../hosts/AgentRuntime.ts"
import { phaseCapability, phaseDimensions } from "../manifests/RunControls.ts"
import type { RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { selectRuntime } from "../manifests/SelectRuntime.ts"
import type { Wish } from "./LaunchRequest.ts"
import { promptOf } from "./Prompt.ts"

/** What stands against a launch whatever its runtime can do, and what to do about it. */
export interface Objection extends Remark {
  readonly remediation: string
}

/** All that decides a launch: nothing else is looked at, so a preview and a start of the same are the same. */
export interface LaunchInput {
  readonly task: StoredTask
  readonly wish: Wish
  readonly runtime: AgentRuntime
  /** Who chose the agent: the start, the caller that is the agent, or the settings. */
  readonly chosenBy: Origin
  /** The configuration of the agent; a registered one has none. */
  readonly agent: AgentConfig | undefined
  readonly profile:
    | { readonly id: string; readonly enabled: boolean; readonly prompt: string; readonly model?: string }
    | undefined
  readonly checkpoint: unknown
  readonly objections: ReadonlyArray<Objection>
  readonly autoCommit: boolean
  /** The enforcement gates that are on. */
  readonly gates: ReadonlyArray<string>
}

/** What a launch binds to its attempt, what its agent is told, and what stands against it. */
export interface Launch {
  readonly runtimeManifest: RuntimeManifest
  readonly launchManifest: LaunchManifest
  readonly prompt: string
  readonly blockers: ReadonlyArray<Remark>
  readonly warnings: ReadonlyArray<Remark>
}

interface Chosen<A> {
  readonly value: A
  readonly origin: Origin
}

/** The first that is there, with where it came from. */
const choose = <A>(fallback: A, ...offers: ReadonlyArray<readonly [Origin, A | undefined]>): Chosen<A> => {
  for (const [origin, value] of offers) if (value !== undefined) return { value, origin }
  return { value: fallback, origin: "default" }
}

/**
 * What a phase leaves on a runtime (ruling 56). A dimension that the phase restricts and the runtime can't be held to is
 * a blocker; one that it is only asked for, or that nobody knows of, is a warning.
 */
export const phaseEvidenceOf = (
  phase: Phase,
  { capabilities }: Pick<RuntimeManifest, "capabilities">
): PhaseEvidence => {
  const states = new Map(capabilities.map(({ id, state }) => [id, state]))
  const leaves = leavesOf[phase]
  const restricted = phaseDimensions.filter((dimension) => leaves[dimension] !== "allow")
  const remarks = (state: "unsupported" | "advisory" | "unknown", message: (dimension: string) => string) =>
    restricted
      .filter((dimension) => (states.get(phaseCapability(dimension)) ?? "unknown") === state)
      .map((dimension) => ({ code: `phase-${dimension}-${state}`, message: message(dimension) }))
  const blockers = remarks(
    "unsupported",
    (dimension) => `The runtime can't be held to what the phase ${phase} says of ${dimension}`
  )
  return sealed({
    schemaVersion: "phase-capability-evidence/v1" as const,
    phase,
    dimensions: leaves,
    enforcement: {
      enforceable: blockers.length === 0,
      blockers,
      warnings: [
        ...remarks("advisory", (dimension) => `Nothing holds the runtime to ${phase} in ${dimension}`),
        ...remarks("unknown", (dimension) => `Nobody knows whether ${phase} holds in ${dimension}`)
      ]
    }
  })
}

const capabilityBlockers = (required: ReadonlyArray<string>, manifest: RuntimeManifest) => {
  const { compatible, reasons } = selectRuntime(required, manifest)
  const remarks = reasons.map((message) => ({
    code: compatible ? "capability-advisory" : "capability-missing",
    message
  }))
  return compatible ? { blockers: [], warnings: remarks } : { blockers: remarks, warnings: [] }
}

const commitPolicyOf = ({ autoCommit, task, wish }: LaunchInput): Chosen<CommitPolicy> =>
  choose<CommitPolicy>(
    "allowed",
    ["run", wish.commitPolicy],
    ["task", task.executionPolicy?.commitPolicy],
    ["settings", autoCommit ? "required" : undefined]
  )

/** The launch manifest of a wish (spec 3-runs; ruling 104). It needs no attempt yet: a preview has none. */
export const compileLaunch = (input: LaunchInput, attemptId?: string): Launch => {
  const { agent, checkpoint, objections, profile, runtime, task, wish } = input
  const { manifest } = runtime
  const phase = choose<Phase>("implement", ["run", wish.phase])
  const model = choose<string | null>(null, ["profile", profile?.model], ["agent", agent?.model])
  const sandbox = choose<string | undefined>(
    undefined,
    ["run", wish.sandboxPresetId],
    ["agent", agent?.sandboxPresetId]
  )
  const commitPolicy = commitPolicyOf(input)
  const required = wish.requiredRuntimeCapabilities ?? []
  const phaseEvidence = phaseEvidenceOf(phase.value, manifest)
  const capabilities = capabilityBlockers(required, manifest)
  const objected = objections.map(({ code, message }) => ({ code, message }))
  const blockers = [...objected, ...capabilities.blockers, ...phaseEvidence.enforcement.blockers]
  const warnings = [...capabilities.warnings, ...phaseEvidence.enforcement.warnings]
  const expectedOutputs = task.executionPolicy?.expectedOutputs ?? []
  const prompt = promptOf({
    task,
    instructions: profile?.prompt,
    checkpoint,
    commitPolicy: commitPolicy.value,
    expectedOutputs
  })
  const origins: LaunchManifest["origins"] = {
    agent: input.chosenBy,
    phase: phase.origin,
    model: model.origin,
    commitPolicy: commitPolicy.origin,
    ...(sandbox.value === undefined ? {} : { sandboxPresetId: sandbox.origin })
  }
  const launchManifest: LaunchManifest = sealed({
    schemaVersion: "run-launch-manifest/v1" as const,
    taskId: task.id,
    ...(attemptId === undefined ? {} : { attemptId }),
    agent: runtime.agent,
    providerRuntime: {
      digest: manifest.digest,
      provider: manifest.provider,
      probeRevision: manifest.probeRevision
    },
    runtime: { command: agent?.command ?? null, args: agent?.args ?? [], model: model.value },
    phase: phase.value,
    phaseEvidence,
    commitPolicy: commitPolicy.value,
    ...(sandbox.value === undefined ? {} : { sandboxPresetId: sandbox.value }),
    inputs: redactJson({ ...wish, requiredRuntimeCapabilities: required }),
    instructions: fingerprints([
      ["task", prompt],
      ...(profile === undefined ? [] : [["profile", profile.prompt] as const])
    ]),
    origins,
    resources: { shared: [] },
    enforcement: { enforceable: blockers.length === 0, blockers, warnings }
  })
  return { runtimeManifest: manifest, launchManifest, prompt, blockers, warnings }
}

const fingerprints = (sources: ReadonlyArray<readonly [string, string]>): LaunchManifest["instructions"] =>
  sources.map(([source, text]) => ({ source, sha256: sha256(text), bytes: Buffer.byteLength(text) }))

/** The envelope of an attempt: the task as it is given away, its limits, and what the workspace is now. */
export const compileEnvelope = (
  { gates, task }: LaunchInput,
  { launchManifest, prompt }: Launch,
  attempt: { readonly id: string; readonly managed: boolean },
  workspace: { readonly path: string | null; readonly baseline: Baseline }
): TaskEnvelope =>
  sealed({
    schemaVersion: "task-envelope/v1" as const,
    taskId: task.id,
    attemptId: attempt.id,
    subject: {
      title: task.title,
      ...(task.description === undefined ? {} : { description: task.description }),
      type: task.type,
      priority: task.priority,
      ...(task.project === undefined ? {} : { project: task.project }),
      labels: task.labels,
      acceptanceCriteria: task.acceptanceCriteria
    },
    commitPolicy: launchManifest.commitPolicy,
    policy: { ...task.executionPolicy, commitPolicy: launchManifest.commitPolicy },
    expectedOutputs: task.executionPolicy?.expectedOutputs ?? [],
    gates,
    workspace,
    launchManifest: { digest: launchManifest.digest },
    transport: {
      schemaVersion: "provider-task-envelope-transport/v1" as const,
      kind: attempt.managed ? ("stdin" as const) : ("callback" as const),
      promptBytes: attempt.managed ? Buffer.byteLength(prompt) : 0
    }
  })

/** What an attempt is bound to. */
export const documentsOf = (
  { launchManifest, runtimeManifest }: Launch,
  envelope: TaskEnvelope
): Documents => ({
  runtimeManifest,
  launchManifest,
  envelope
})

/** The parts of a launch whose change between two attempts matters. */
const compared = ["agent", "providerRuntime", "runtime", "phase", "commitPolicy", "sandboxPresetId"] as const

/** What of a launch differs from the parent that it continues (ruling 104). */
export const driftOf = (parent: LaunchManifest, now: LaunchManifest) =>
  compared
    .filter((field) => JSON.stringify(parent[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, parent: parent[field] ?? null, now: now[field] ?? null }))
