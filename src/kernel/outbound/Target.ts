import { Data, Either } from "effect"
import { isUrl } from "../UrlSyntax.ts"
import { type Allowance, isAddress, publicOnly, type Refusal, refusalOf } from "./Address.ts"

/** The URL may not be called. `reason` is a code and shows nothing of the URL. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{
  readonly reason:
    | Refusal
    | "not-a-url"
    | "misleading"
    | "scheme"
    | "credentials-in-url"
    | "too-long"
    | "not-encrypted"
}> {
  override get message() {
    return refusals[this.reason]
  }
}

const refusals: Record<AddressRefused["reason"], string> = {
  "not-a-url": "must be an absolute URL",
  misleading: "must be an absolute URL without blanks, line breaks, control characters and backslashes",
  scheme: "must be an http or https URL",
  "credentials-in-url": "must not hold a user name or a password",
  "not-encrypted": "must be encrypted: plain http is for this machine and for private networks",
  "too-long": "must have at most 2,000 characters",
  loopback:
    "leads to this machine, which is not allowed here: an operator allows it with SERVICE_OUTBOUND_ALLOW_LOOPBACK=true",
  "private-network":
    "leads to a private network, which is not allowed here: an operator allows it with SERVICE_OUTBOUND_ALLOW_PRIVATE_NETWORK=true",
  "link-local": "leads to a link-local address, which is never called",
  metadata: "leads to a metadata service of a cloud, which is never called",
  "not-public": "leads to an address that is not public",
  "not-an-address": "has a host that is not an address"
}

const longestUrl = 2_000

/** Where clouds hand out credentials, by name; names below them count too. */
const metadataNames: ReadonlyArray<string> = [
  "instance-data",
  "instance-data.ec2.internal",
  "metadata",
  "metadata.azure.internal",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com"
]

/** Names of this machine in the hosts files of common systems; names below them count too. */
const loopbackNames: ReadonlyArray<string> = [
  "localhost",
  "localhost4",
  "localhost6",
  "localhost.localdomain",
  "localhost4.localdomain4",
  "localhost6.localdomain6",
  "ip6-localhost",
  "ip6-loopback"
]

const isBelow = (host: string, names: ReadonlyArray<string>): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`))

/** Whether a URL parser would drop or change part of the text, so that others would read a different URL. */
export const isMisleading = (text: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}\s\\]/u.test(text)

/** The host of a URL as a name or an address: without brackets and without the dot at the end. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "")

/** The host that a URL leads to, with its port unless it is the scheme's default. */
export const placeOf = (url: URL): string => {
  const host = hostOf(url).toLowerCase()
  return `${host.includes(":") ? `[${host}]` : host}${url.port === "" ? "" : `:${url.port}`}`
}

/** Whether a URL leads to the public internet without TLS, where that is not allowed. */
export const isPlain = (url: URL, addresses: ReadonlyArray<string>, allow: Allowance): boolean =>
  url.protocol === "http:" &&
  allow.plainToPublic === false &&
  addresses.some((address) => refusalOf(address, publicOnly) === undefined)

/**
 * Checks a URL without resolving its name, for those who store it. The addresses are checked again at each call, as a
 * name may resolve to something else by then.
 */
export const checkUrl = (text: string, allow: Allowance): Either.Either<URL, AddressRefused> => {
  const refuse = (reason: AddressRefused["reason"]) => Either.left(new AddressRefused({ reason }))
  if (text.length > longestUrl) return refuse("too-long")
  if (isMisleading(text)) return refuse("misleading")
  if (!isUrl(text)) return refuse("not-a-url")
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return refuse("scheme")
  if (url.username !== "" || url.password !== "") return refuse("credentials-in-url")
  const host = hostOf(url).toLowerCase()
  if (host === "") return refuse("not-a-url")
  if (isAddress(host)) {
    const refusal = refusalOf(host, allow)
    if (refusal !== undefined) return refuse(refusal)
    return isPlain(url, [host], allow) ? refuse("not-encrypted") : Either.right(url)
  }
  if (isBelow(host, metadataNames)) return refuse("metadata")
  if (isBelow(host, loopbackNames) && !allow.loopback) return refuse("loopback")
  return Either.right(url)
}
