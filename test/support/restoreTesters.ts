import { effect, it, layer, live, prop, scoped, scopedLive } from "@effect/vitest"

/*
 * Many files share a process, so that the program is loaded once for all of them. `layer` writes its testers upon the one
 * `it` that all of them import: each file gets back those that know no layer.
 */
Object.assign(it, { effect, layer, live, prop, scoped, scopedLive })
