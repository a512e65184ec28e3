import { Effect } from "effect"
import { firstRow, run, type Sql, sql } from "../../storage/Sql.ts"

/** The secrets of a team chat as storage has them: sealed; a credential may also be `env:NAME`. */
export interface StoredSecrets {
  readonly webhookUrl: string | null
  readonly credential: string | null
}

/** The secrets of an adapter. */
export const find = (adapterId: string): Effect.Effect<StoredSecrets, never, Sql> =>
  Effect.map(
    firstRow<StoredSecrets>(
      sql`SELECT webhook_url AS webhookUrl, credential FROM teamchat_secrets WHERE adapter_id = ${adapterId}`
    ),
    (found) => found ?? { webhookUrl: null, credential: null }
  )

/** Forgets the secrets of an adapter. */
export const remove = (adapterId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM teamchat_secrets WHERE adapter_id = ${adapterId}`)

/** Changes the secrets of an adapter; what is not named stays. */
export const change = (adapterId: string, changed: Partial<StoredSecrets>): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(find(adapterId), (before) => {
    const { credential, webhookUrl } = { ...before, ...changed }
    return run(
      sql`
        INSERT INTO teamchat_secrets (adapter_id, webhook_url, credential)
        VALUES (${adapterId}, ${webhookUrl}, ${credential})
        ON CONFLICT (adapter_id) DO UPDATE
          SET webhook_url = excluded.webhook_url, credential = excluded.credential`
    )
  })
