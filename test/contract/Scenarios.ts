import { board } from "./scenarios/Board.ts"
import { ceremonies } from "./scenarios/Ceremonies.ts"
import { chat } from "./scenarios/Chat.ts"
import { config } from "./scenarios/Config.ts"
import { health } from "./scenarios/Health.ts"
import { hooks } from "./scenarios/Hooks.ts"
import type { Scenario } from "./scenarios/Scenario.ts"
import { traces } from "./scenarios/Traces.ts"

/** One living scenario for each route, by its operation id. Each room has a file of its own. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  ...board,
  ...ceremonies,
  ...chat,
  ...config,
  ...health,
  ...hooks,
  ...traces
}
