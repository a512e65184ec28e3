/** Where a value is stored: the field is its column, with a property of it where one is known not to fit. */
export interface StoredPlace {
  readonly table: string
  readonly id: string
  readonly field: string
}

const unreadable = "A stored value can't be read: the database is damaged, or was changed by hand"

/**
 * Storage holds something else than was written there: its pages were damaged, or somebody changed them. The content may
 * be secret, so the message does not show it.
 */
export class StoredUnreadable extends Error {
  override readonly name = "StoredUnreadable"
  constructor(place?: StoredPlace) {
    super(place === undefined ? unreadable : `${unreadable} (${place.table} ${place.id}, ${place.field})`)
  }
}

/**
 * Reads JSON that this program wrote itself. Storage is written only through the types that read it back, so the type
 * is trusted; JSON from outside goes through a Schema instead.
 */
export const parseStored = <A>(json: string, place?: StoredPlace): A => {
  try {
    return JSON.parse(json) as A
  } catch {
    throw new StoredUnreadable(place)
  }
}

/** The deepest nesting of arrays and objects that a body may have. */
export const maxDepth = 64

/** Measures nesting without parsing, so that a bomb of brackets costs one pass over its bytes. */
export const isDeeperThan = (json: string, limit: number): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index)
    if (inString) {
      if (unit === 0x5c) index++
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > limit) return true
    } else if (unit === 0x5d || unit === 0x7d) depth--
  }
  return false
}
