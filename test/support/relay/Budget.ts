import type { Budgets, Settings } from "./Settings.ts"

const windows = { httpPerMinute: 60_000, framesPer5s: 5_000 } as const

/** Counts what a key spends, over all its connections, in windows that start with its first call. */
export class Budget {
  private readonly settings: Settings
  private readonly spent = new Map<string, { readonly since: number; readonly count: number }>()

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Spends one call; tells how many seconds to wait when there's nothing left. */
  spend(name: keyof Budgets, publicKey: string): number | undefined {
    const limit = this.settings.budgets[name]
    if (limit === undefined) return undefined
    const now = this.settings.now()
    const key = `${name} ${publicKey}`
    const known = this.spent.get(key)
    const open = known !== undefined && now - known.since < windows[name] ? known : { since: now, count: 0 }
    if (open.count >= limit) return Math.max(1, Math.ceil((open.since + windows[name] - now) / 1_000))
    this.spent.set(key, { since: open.since, count: open.count + 1 })
    return undefined
  }
}

/** The words of the wire for an empty budget. */
export const overBudget = (seconds: number): string => `rate-limited: quota exceeded; retry in ${seconds}s`
