import { given, just, made, type Scenario } from "./Scenario.ts"

const draft = {
  name: "Tell the team",
  event: "task.completed",
  filter: { project: "docs" },
  action: { type: "webhook", url: "http://127.0.0.1:9/hook", secretRef: "env:HOOK_KEY" }
}

const aHook = made("/api/hooks", { ...draft, enabled: false })
const ofHook = given(aHook, ({ id }) => ({ path: { id } }))

/** Hooks wait for events that these scenarios do not cause, so nothing is sent. */
export const hooks: Readonly<Record<string, Scenario>> = {
  "hooks.list": given(aHook, () => ({})),
  "hooks.executions": just({ query: "?status=failed&limit=5" }),
  "hooks.create": just({ body: { ...draft, enabled: false } }),
  "hooks.get": ofHook,
  "hooks.patch": given(aHook, ({ id }) => ({ path: { id }, body: { name: "Tell them", filter: {} } })),
  "hooks.remove": ofHook,
  "hooks.fire": just({ body: { event: "run.started", payload: { test: true } } })
}
