/** What a channel of the relay is. Without `members` or with `open` everybody on the relay may read and write. */
export interface ChannelSettings {
  readonly members?: ReadonlyArray<string>
  readonly admins?: ReadonlyArray<string>
  readonly open?: boolean
  readonly archived?: boolean
  readonly name?: string
}

/** What may be set when the relay starts and, but for the port and the path prefix, while it runs. */
export interface RelayOptions {
  /** What NIP-11 tells of the software. */
  readonly version?: string
  readonly software?: string
  readonly nips?: ReadonlyArray<number>
  /** Relays of the family don't tell their commit; one that does can be played. */
  readonly commit?: string
  /** False for a relay with a key that doesn't outlive a restart: such a relay tells no `self`. */
  readonly stableKey?: boolean
  /** The hosts that it serves; its own address when this is left out. */
  readonly community?: string | ReadonlyArray<string>
  /** The scheme that it believes to have, which is wrong behind a proxy that ends TLS. */
  readonly scheme?: "http" | "https"
  /** The path under which a proxy shows it. The relay itself never sees the prefix, so it isn't in expected URLs. */
  readonly pathPrefix?: string
  /** Public keys of the relay's members; open to all when left out. */
  readonly members?: ReadonlyArray<string> | undefined
  /** Channels by UUID; any UUID is an open channel when left out. */
  readonly channels?: Readonly<Record<string, ChannelSettings>> | undefined
  readonly budgets?: Budgets
  /** The most rows that a filter gets, whatever its limit. */
  readonly pageCap?: number
  readonly chatWindowSeconds?: number
  readonly authWindowSeconds?: number
  /** How long a socket may stay without authenticating. */
  readonly authTimeoutMs?: number
  readonly pingMs?: number
  /** How long stored events take on their way from the store, in which live ones may overtake them. */
  readonly lookupMs?: number
  readonly now?: () => number
  /** False for a relay that doesn't know the `before_id` of filters, and ignores it. */
  readonly beforeId?: boolean
  /** True for a relay that hides personas without `["shared","true"]` from all but their authors. */
  readonly personaGate?: boolean
  /** True for a relay on which an id of a subscription that was ever closed stays dead for live events. */
  readonly losesReusedIds?: boolean
  readonly maxFrame?: number
  readonly port?: number
  /** Where the events are kept; in memory when left out. */
  readonly file?: string
}

/** The budgets of one public key over all its connections; off where left out. */
export interface Budgets {
  readonly httpPerMinute?: number
  readonly framesPer5s?: number
}

type Open = "members" | "channels" | "commit" | "community" | "file"

/** The options with all defaults in place. */
export type Settings = Required<Omit<RelayOptions, Open>> & Pick<RelayOptions, Open>

export const settingsOf = (options: RelayOptions): Settings => ({
  version: "0.2.1",
  software: "https://github.com/block/buzz",
  nips: [1, 2, 10, 11, 16, 17, 23, 25, 29, 33, 38, 42, 50],
  stableKey: true,
  scheme: "http",
  pathPrefix: "",
  budgets: {},
  pageCap: 1_000,
  chatWindowSeconds: 900,
  authWindowSeconds: 60,
  authTimeoutMs: 5_000,
  pingMs: 30_000,
  lookupMs: 0,
  now: Date.now,
  port: 0,
  beforeId: true,
  personaGate: false,
  losesReusedIds: false,
  maxFrame: 524_288,
  ...options
})

/** The relay's clock, in the seconds that events count. */
export const secondsOf = ({ now }: Settings): number => Math.floor(now() / 1_000)

/** Whether a key may read and write a channel. */
export const seesChannel = ({ channels }: Settings, publicKey: string, channel: string): boolean => {
  if (channels === undefined) return true
  const found = channels[channel]
  if (found === undefined) return false
  const { admins = [], members, open } = found
  return open === true || members === undefined || members.includes(publicKey) || admins.includes(publicKey)
}
