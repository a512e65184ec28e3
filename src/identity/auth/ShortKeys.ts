import { Redacted } from "effect"
import type { ApiKey } from "./ApiKeys.ts"

/** What a key should have at least: sixteen characters that nobody guesses. */
const shortest = 16

/** A warning for each key of the environment that is short, by its variable and name, without the key (decision Q53). */
export const warningsOf = ({
  adminKey,
  apiKeys
}: {
  readonly adminKey: Redacted.Redacted | undefined
  readonly apiKeys: ReadonlyArray<ApiKey>
}): ReadonlyArray<string> => {
  const named = [
    ...(adminKey === undefined ? [] : [{ place: "SERVICE_ADMIN_KEY", key: adminKey }]),
    ...apiKeys.map(({ key, name }) => ({ place: `The key ${JSON.stringify(name)} of SERVICE_API_KEYS`, key }))
  ]
  return named.flatMap(({ key, place }) =>
    [...Redacted.value(key)].length < shortest
      ? [`${place} has fewer than ${shortest} characters and can be guessed: set a longer one`]
      : []
  )
}
