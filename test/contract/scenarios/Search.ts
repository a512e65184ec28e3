import { aTask, given, just, type Scenario } from "./Scenario.ts"

export const search: Readonly<Record<string, Scenario>> = {
  "search.search": given(aTask, () => ({
    body: { query: "write doc", limit: 5, collections: ["tasks-active"], backend: "auto" },
    links: 0
  })),
  "search.refresh": just({ body: { embed: true } })
}
