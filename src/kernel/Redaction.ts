import { redactAssignments } from "./redaction/assignments.ts"
import { redactEncoded } from "./redaction/encoded.ts"
import { redactValue } from "./redaction/json.ts"
import { redactElements, redactHeaders, redactPem, redactUrls } from "./redaction/shapes.ts"
import { redactTokens } from "./redaction/tokens.ts"

export { marker } from "./redaction/marker.ts"
export { isSecretName } from "./redaction/names.ts"

const redactPlain = (text: string): string =>
  redactAssignments(redactElements(redactHeaders(redactTokens(redactUrls(redactPem(text))))))

/**
 * Free text with every secret replaced by the marker: tokens by their shape, private keys, passwords in URLs,
 * headers, and literal values under secret names. Everything else, long hex and identifiers included, stays.
 */
export const redactText = (text: string): string =>
  text.length < 5 ? text : redactEncoded(redactPlain(text), redactPlain)

/**
 * A JSON value without secrets, in its texts, in its keys and under its secret names. The value itself when it holds
 * none, so that an unchanged value costs no copy.
 */
export const redactJson = <A>(value: A): A => redactValue(value, redactText) as A
