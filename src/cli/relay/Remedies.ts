import type { Reason } from "../../conversations/wire/Reason.ts"

const configure = "Change it with PUT /api/integrations/communication/adapters/ID"
const byItself = "Nothing: it is tried again"
const asAdministrator = "Ask an administrator of the relay to let the bridge's public key in"

/** What to do about each reason, for somebody at a terminal; the server's message says what the reason means. */
const remedies: Record<Reason, string> = {
  ok: "Nothing",
  adapter_disabled: "Switch it on with PUT /api/integrations/communication/adapters/ID {enabled: true}",
  configuration_missing: configure,
  not_probed: "Probe it with POST /api/integrations/communication/adapters/ID/test",
  credential_missing: "Set the variable in the environment of the server, and start it again",
  credential_unlisted: "Add the variable to SERVICE_SECRETS, and start the server again",
  credential_invalid: "Set the variable to the private key of the bridge, and start the server again",
  public_key_mismatch: "Set publicKey to the key that belongs to the private one, or the variable to its key",
  auth_tag_missing: "Set the variable in the environment of the server, or authTagRef to null",
  auth_tag_unlisted: "Add the variable to SERVICE_SECRETS, and start the server again",
  auth_tag_invalid: "Let the owner make an attestation for this key, and start the server again with it",
  auth_tag_outside_its_time: "Let the owner make a new attestation, and start the server again with it",
  network_policy_blocked:
    "Check the name of the relay; allowLocalhost and allowPrivateNetwork let more addresses in",
  relay_unreachable: "Check relayHttpUrl and the network; it is tried again by itself",
  encryption_failed:
    "Check the certificate of the relay, and that relayHttpUrl has the right scheme and port",
  relay_timeout: byItself,
  response_too_large: "Tell the operator of the relay",
  redirect_refused: "Set relayHttpUrl to the address that the relay redirects to",
  relay_info_invalid: "Check that relayHttpUrl is the address of a relay",
  query_response_invalid: "Check that relayHttpUrl is the address of a relay",
  relay_version_unsupported: "Use a relay of a tested version, or a version of Muster that knows this one",
  relay_commit_unsupported: "Use a relay of the tested commit, or a version of Muster that knows this one",
  relay_capability_missing: "Use a relay that announces them",
  community_mismatch: "Set expectedCommunity and relayHttpUrl to the same community",
  authentication_rejected: "Check the clock, relayHttpUrl, and that the relay knows the bridge's public key",
  authentication_missing: "Check that the address is the relay's own: a proxy may hide its challenge",
  clock_skew: "Set the clock of this machine",
  relay_membership_required: asAdministrator,
  channel_membership_required: "Ask an administrator of the channel to let the bridge's public key in",
  read_refused: asAdministrator,
  write_refused: asAdministrator,
  rate_limited: byItself,
  relay_unavailable: byItself,
  relay_error: "Ask the operator of the relay, who has its log; it is tried again by itself",
  circuit_open: byItself,
  answer_unclear: "Check that the address is the relay's own: a proxy may answer in its place",
  event_refused: "Read what the relay said, change the message and send it as a new one",
  event_too_old: "Send it as a new message",
  outcome_unknown: "Look whether it is at the relay, and send it as a new message if it is not",
  connecting: "Wait a little",
  socket_lost: byItself,
  subscription_closed: byItself,
  history_gap: "Ask the operator of the relay: what is missing stays missing until the relay gives it",
  no_mapping: "Map one with muster relay map CHANNEL",
  parent_not_mapped: "Send the message that is replied to first, with muster relay send --message ID",
  outbox_full: "Settle some with muster relay poll, or wait until the relay takes them",
  stored_event_invalid: "Send it as a new message, and find out who changes the files of the board",
  stored_event_unreadable: "Send it as a new message; a board that moves takes its data directory along",
  stored_identity_changed: "Send it as a new message, or give the adapter its key back",
  stored_place_changed: "Send it as a new message, or give the adapter its relay and channel back"
}

/** What to do about a reason; undefined for one that only a newer server knows. */
export const remedyFor = (reason: string): string | undefined =>
  Object.entries(remedies).find(([code]) => code === reason)?.[1]
