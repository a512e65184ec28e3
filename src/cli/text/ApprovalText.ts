import type { ApprovalStatus, RiskClass, RunApproval } from "../../governance/approvals/RunApproval.ts"
import { oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "./Paint.ts"

/** How long it is until a moment, in the greatest unit that says enough. */
const until = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1_000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`
}

const riskText = (risk: RiskClass, paint: Paint): string => {
  const said = `${risk} risk`
  switch (risk) {
    case "low":
      return paint.dim(said)
    case "medium":
      return said
    case "high":
      return paint.yellow(said)
    case "critical":
      return paint.red(said)
  }
}

/** What has become of an approval, or how long it still waits. */
const stateText = (approval: RunApproval, at: number): string => {
  switch (approval.status) {
    case "pending":
      return `expires in ${until(Date.parse(approval.expiresAt) - at)}, which the agent hears as no answer`
    case "approved":
    case "rejected": {
      const used = approval.usedAt === undefined ? "" : `; used ${approval.usedAt}`
      return `${approval.status} by ${approval.decidedBy ?? "nobody"} ${approval.decidedAt ?? ""}${used}`
    }
    case "expired":
      return `expired ${approval.expiresAt}: nobody answered`
    case "cancelled":
      return `cancelled ${approval.updatedAt}: its run ended`
  }
}

const block = (approval: RunApproval, at: number, paint: Paint): ReadonlyArray<string> => [
  `${paint.bold(oneLine(approval.id))}  ${oneLine(approval.agentId)} on ${oneLine(approval.taskId)}, ${approval.actionClass}, ${riskText(approval.riskClass, paint)}`,
  `  ${oneLine(approval.action)}`,
  ...(approval.workingDirectory === null ? [] : [paint.dim(`  in ${oneLine(approval.workingDirectory)}`)]),
  ...(approval.resourceScope.length === 0
    ? []
    : [paint.dim(`  touches ${approval.resourceScope.map(oneLine).join(", ")}`)]),
  `  ${oneLine(stateText(approval, at))}`
]

/** Approvals as a person reads them, a few lines for each: what is to happen, where, and how long it waits. */
export const approvalList = (
  found: ReadonlyArray<RunApproval>,
  status: ApprovalStatus,
  at: number,
  paint: Paint
): string => {
  if (found.length === 0) {
    return status === "pending" ? "No run waits for an approval." : `No approval is ${status}.`
  }
  const lines = found.flatMap((approval) => [...block(approval, at, paint), ""])
  return status === "pending"
    ? [...lines, "muster approvals approve APPROVAL lets it happen once; reject refuses it."].join("\n")
    : lines.slice(0, -1).join("\n")
}

/** What was decided, and what comes of it. */
export const decidedText = (approval: RunApproval, paint: Paint): string =>
  approval.status === "approved"
    ? `${paint.green("Approved")} ${paint.bold(oneLine(approval.id))}: ${oneLine(approval.action)}\nThe run may do it once, until ${approval.expiresAt}.`
    : `${paint.red("Rejected")} ${paint.bold(oneLine(approval.id))}: ${oneLine(approval.action)}\nThe run hears that you refused it.`

/** What is new about an approval, on one line: that a run needs somebody, or that it no longer does. */
export const approvalNews = (approval: RunApproval, paint: Paint): string => {
  const { action, agentId, decidedBy, expiresAt, id, status } = approval
  const about = `${paint.bold(oneLine(id))} ${oneLine(agentId)}: ${oneLine(action)}`
  if (status === "pending")
    return `${paint.yellow("needs you")}  ${about} ${paint.dim(`(until ${expiresAt})`)}`
  const word = approval.usedAt === undefined ? status : "used"
  return `${word.padEnd("needs you".length)}  ${about}${decidedBy === undefined ? "" : ` ${paint.dim(`(${oneLine(decidedBy)})`)}`}`
}
