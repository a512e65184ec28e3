import ipaddr from "ipaddr.js"

/** Which addresses beyond the public internet a request may reach. Link-local and metadata addresses never. */
export interface Allowance {
  /** This machine: 127.0.0.0/8 and ::1. */
  readonly loopback: boolean
  /** Private networks: RFC 1918, and unique local addresses of IPv6. */
  readonly privateNetwork: boolean
  /** Carrier-grade NAT, 100.64.0.0/10; the value of `privateNetwork` when absent. */
  readonly carrierGradeNat?: boolean
  /** The public internet without TLS; true when absent. */
  readonly plainToPublic?: boolean
}

/** Nothing but the public internet. */
export const publicOnly: Allowance = { loopback: false, privateNetwork: false }

/** Why an address may not be reached. */
export type Refusal =
  | "loopback"
  | "private-network"
  | "link-local"
  | "metadata"
  | "not-public"
  | "not-an-address"

/** Addresses at which clouds hand out credentials. */
const metadataAddresses: ReadonlySet<string> = new Set([
  "100.100.100.200",
  "168.63.129.16",
  "169.254.169.254",
  "192.0.0.192",
  "fd00:ec2:0:0:0:0:0:254",
  "fd20:ce:0:0:0:0:0:254"
])

/** `::a.b.c.d`, which ipaddr.js takes for an ordinary address and some systems for the IPv4 address inside. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR("::/96")
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Why this address may not be reached; undefined when it may. An IPv4 address inside of an IPv6 one counts as itself. */
export const refusalOf = (address: string, allow: Allowance): Refusal | undefined => {
  const bare = address.replace(/%.*$/, "")
  if (!ipaddr.isValid(bare) || (!bare.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(bare)))
    return "not-an-address"
  const parsed = ipaddr.process(bare)
  if (metadataAddresses.has(parsed.toString()) || metadataAddresses.has(longForm(parsed))) return "metadata"
  switch (parsed.range()) {
    case "unicast":
      return parsed instanceof ipaddr.IPv6 && (parsed.match(ipv4Compatible) || !parsed.match(globalUnicast))
        ? "not-public"
        : undefined
    case "loopback":
      return allow.loopback ? undefined : "loopback"
    case "private":
    case "uniqueLocal":
      return allow.privateNetwork ? undefined : "private-network"
    case "carrierGradeNat":
      return (allow.carrierGradeNat ?? allow.privateNetwork) ? undefined : "private-network"
    case "linkLocal":
      return "link-local"
    default:
      return "not-public"
  }
}

const longForm = (address: ipaddr.IPv4 | ipaddr.IPv6): string =>
  address instanceof ipaddr.IPv6
    ? address.parts.map((part) => part.toString(16)).join(":")
    : address.toString()

/** True for an IP address, false for a name. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host)
