import { marker } from "./marker.ts"

const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g
const printable = /^[\t\n\r\x20-\x7e]+$/

/**
 * Base64 of text with a secret in it. Images, hashes and identifiers decode to bytes that are no text and stay;
 * the first bytes tell, so that a long run is decoded only when it may be text.
 */
export const redactEncoded = (text: string, redact: (decoded: string) => string): string =>
  text.replace(run, (match) => {
    if (!printable.test(Buffer.from(match.slice(0, 24), "base64").toString("latin1"))) return match
    const decoded = Buffer.from(match, "base64").toString("latin1")
    return printable.test(decoded) && redact(decoded) !== decoded ? marker : match
  })
