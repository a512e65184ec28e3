import { aTask, given, type Scenario } from "./Scenario.ts"

export const audit: Readonly<Record<string, Scenario>> = {
  "audit.list": given(aTask, () => ({ query: "?limit=5&before=1000000" })),
  "audit.verify": given(aTask, () => ({}))
}
