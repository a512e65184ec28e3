import { board } from "./scenarios/Board.ts"
import { hooks } from "./scenarios/Hooks.ts"
import type { Scenario } from "./scenarios/Scenario.ts"
import { worktrees } from "./scenarios/Worktrees.ts"

/** One living scenario for each route, by its operation id. Each room has a file of its own. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  ...board,
  ...hooks,
  ...worktrees
}
