import type { Allowance } from "../../kernel/outbound/Address.ts"
import type { AddressRefused } from "../../kernel/outbound/Target.ts"

/** What an adapter says about addresses that are not public. */
export interface AllowFlags {
  readonly allowLocalhost: boolean
  readonly allowPrivateNetwork: boolean
}

/** The addresses that an adapter may reach. Link-local, metadata and carrier-grade NAT stay blocked. */
export const allowanceOf = ({ allowLocalhost, allowPrivateNetwork }: AllowFlags): Allowance => ({
  loopback: allowLocalhost,
  privateNetwork: allowPrivateNetwork,
  carrierGradeNat: false,
  plainToPublic: false
})

/** Why an adapter may not have an address, and which of its flags would allow it. */
export const messageOf = ({ message, reason }: AddressRefused): string => {
  switch (reason) {
    case "loopback":
      return "Expected a public host: set allowLocalhost to reach this machine"
    case "private-network":
      return "Expected a public host: set allowPrivateNetwork to reach a private network; carrier-grade NAT stays blocked"
    default:
      return `The address ${message}`
  }
}
