import { marker } from "./Marker.ts"
import { isSecretName } from "./SecretName.ts"

/** What often stands in the place of a secret: a variable, a template, a word that says that there is none. */
const placeholder =
  /^(?:\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+)$|\$[{(]|\{\{|%[A-Z_]+%$|%[sdj]$|<|[*•.…]+$|x{3,}$|(?:null|undefined|none|nil|true|false|yes|no|string|number|boolean|unknown|include|same-origin|omit)$|your[-_ ]|(?:process|import\.meta|os)\.env)/i

export const isPlaceholder = (value: string): boolean => value === marker || placeholder.test(value)

const isPath = (value: string): boolean => /^(?:[.~]|[A-Za-z]:)?(?:[/\\][a-z_.-]+\d*){2,}\/?$/.test(value)
const isUrl = (value: string): boolean => /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value)

/** Whether a value says where something is, rather than being it. */
export const isPlace = (value: string): boolean => /[/\\]/.test(value) && (isUrl(value) || isPath(value))

/** A measure, a date, a version, an ordinal: what has digits and letters without having been made up by a generator. */
const isMeasure = (value: string): boolean =>
  /^[vV]?\d[\d.,:/_-]*(?:[a-zA-Zµ%°]{1,8})?$|^\d[\dTZ:.+-]*$/.test(value)

/**
 * Whether a word beside the word "password" looks like one: letters with digits, or with marks that words don't have.
 * For places where an ordinary word may stand as well.
 */
export const looksMadeUp = (value: string, least = 6): boolean =>
  value.length >= least &&
  /[A-Za-z]/.test(value) &&
  (/\d/.test(value) || /[^\s][!#$%^*+~@&][^\s]|[!#$%^*+~&]$/.test(value)) &&
  !isPlaceholder(value) &&
  !isPlace(value) &&
  !isMeasure(value) &&
  !isSecretName(value) &&
  !/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[([]/.test(value)
