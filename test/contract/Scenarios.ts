import { admission } from "./scenarios/Admission.ts"
import { agents } from "./scenarios/Agents.ts"
import { analytics } from "./scenarios/Analytics.ts"
import { approvals } from "./scenarios/Approvals.ts"
import { audit } from "./scenarios/Audit.ts"
import { board } from "./scenarios/Board.ts"
import { ceremonies } from "./scenarios/Ceremonies.ts"
import { chat } from "./scenarios/Chat.ts"
import { communication } from "./scenarios/Communication.ts"
import { config } from "./scenarios/Config.ts"
import { health } from "./scenarios/Health.ts"
import { hooks } from "./scenarios/Hooks.ts"
import { identity } from "./scenarios/Identity.ts"
import { next } from "./scenarios/Next.ts"
import { relayDefinitions } from "./scenarios/RelayDefinitions.ts"
import { runs } from "./scenarios/Runs.ts"
import type { Scenario } from "./scenarios/Scenario.ts"
import { search } from "./scenarios/Search.ts"
import { traces } from "./scenarios/Traces.ts"
import { trackers } from "./scenarios/Trackers.ts"
import { worktrees } from "./scenarios/Worktrees.ts"

/** One living scenario for each route, by its operation id. Each room has a file of its own. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  ...agents,
  ...admission,
  ...analytics,
  ...approvals,
  ...audit,
  ...board,
  ...ceremonies,
  ...chat,
  ...communication,
  ...config,
  ...health,
  ...hooks,
  ...identity,
  ...search,
  ...next,
  ...relayDefinitions,
  ...runs,
  ...traces,
  ...trackers,
  ...worktrees
}
