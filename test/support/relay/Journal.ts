import type { IncomingMessage } from "node:http"
import type { Event, Filter } from "@nostr-relay/common"

/** A request as the relay saw it. `status` is missing where a fault left it without an answer. */
export interface HttpRecord {
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly authEvent: Event | undefined
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** A socket that was asked for, with the status of the answer; missing where a fault left it without one. */
export interface UpgradeRecord {
  readonly path: string
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** A frame of one socket, as text, in the direction that the relay sees. */
export interface FrameRecord {
  readonly connection: number
  readonly direction: "in" | "out"
  readonly text: string
}

export interface RequestRecord {
  readonly connection: number
  readonly id: string
  readonly filters: ReadonlyArray<Filter>
}

export interface AuthRecord {
  readonly connection: number
  readonly event: Event
  readonly accepted: boolean
}

/** All that the relay saw, in order. */
export interface Seen {
  readonly http: ReadonlyArray<HttpRecord>
  readonly upgrades: ReadonlyArray<UpgradeRecord>
  readonly frames: ReadonlyArray<FrameRecord>
  readonly requests: ReadonlyArray<RequestRecord>
  readonly auths: ReadonlyArray<AuthRecord>
  readonly accepted: ReadonlyArray<Event>
  /** Sockets that are open now, and how many there were since the start. */
  readonly openSockets: number
  readonly sockets: number
}

/** The relay's memory of what it saw, for those who wait for something to appear in it. */
export class Journal implements Seen {
  readonly http: Array<HttpRecord> = []
  readonly upgrades: Array<UpgradeRecord> = []
  readonly frames: Array<FrameRecord> = []
  readonly requests: Array<RequestRecord> = []
  readonly auths: Array<AuthRecord> = []
  readonly accepted: Array<Event> = []
  openSockets = 0
  sockets = 0
  private readonly watchers = new Set<() => void>()

  /** Changes the journal and wakes those who wait. */
  note(change: (journal: Journal) => void): void {
    change(this)
    for (const watcher of [...this.watchers]) watcher()
  }

  /** Waits until the predicate holds; looks again at each entry and gives up after a while, telling what it saw. */
  waitFor(predicate: (seen: Seen) => boolean, timeoutMs = 60_000, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.watchers.delete(look)
        clearTimeout(timer)
      }
      const look = (): void => {
        try {
          if (!predicate(this)) return
          resolve()
        } catch (cause) {
          reject(cause)
        }
        end()
      }
      const timer = setTimeout(() => {
        end()
        reject(new Error(`the relay waited ${timeoutMs} ms in vain; ${this.summary()}`))
      }, timeoutMs)
      signal?.addEventListener("abort", end)
      this.watchers.add(look)
      look()
    })
  }

  private summary(): string {
    const calls = this.http.map(({ method, path, status }) => `${method} ${path} ${status ?? "unanswered"}`)
    const frames = this.frames.map(({ connection, direction, text }) =>
      `${connection} ${direction} ${text}`.slice(0, 160)
    )
    const last = [...calls.slice(-10), ...frames.slice(-10)].join("\n  ")
    return `${this.openSockets} sockets open, ${this.accepted.length} events accepted; last seen:\n  ${last}`
  }
}

/** The headers that say something about who asks and for what. */
export const tellingHeaders = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["host", "accept", "content-type", "user-agent", "origin", "x-auth-tag"].flatMap((name) => {
      const value = headers[name]
      return typeof value === "string" ? [[name, value]] : []
    })
  )
