import { Effect } from "effect"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { type Ask, given, just, made, type Scenario } from "./Scenario.ts"

const password = "correct horse battery"

/** A board whose owner has no password. */
const unclaimed = () =>
  Effect.flatMap(Storage, (storage) => storage.write(run(sql`DELETE FROM singletons WHERE name = 'owner'`)))

/** A board whose owner has one, and the recovery key. */
const claimed = (ask: Ask) => Effect.zipRight(unclaimed(), made("/api/auth/setup", { password })(ask))

let invited = 0

/** An invitation for somebody new. */
const anInvitation = (ask: Ask) => {
  invited += 1
  const email = `ann${invited}@example.com`
  return Effect.map(
    made("/api/identity/workspaces/default/invitations", { email, role: "agent" })(ask),
    (invitation) => ({ ...invitation, email })
  )
}

const aMember = (ask: Ask) =>
  Effect.flatMap(anInvitation(ask), ({ email, token }) =>
    Effect.map(
      made("/api/auth/invitations/accept", { token, displayName: "Ann", email })(ask),
      ({ membership }) => membership
    )
  )

const pairing = {
  deviceName: "Ann's phone",
  clientMode: "mobile",
  capabilities: ["notifications"],
  scopes: ["task:read"],
  role: "agent"
}

const aPairing = (ask: Ask) =>
  Effect.map(
    made("/api/identity/workspaces/default/device-pairing-codes", pairing)(ask),
    ({ code, link }) => {
      const fragment = new URL(link).hash.slice(1)
      const { code: _, ...payload } = JSON.parse(Buffer.from(fragment, "base64url").toString())
      return { code, payload }
    }
  )

const aDevice = (ask: Ask) =>
  Effect.flatMap(aPairing(ask), (body) => made("/api/auth/device-pairing/exchange", body)(ask))

const ofWorkspace = just({ path: { workspaceId: "default" } })
const ofDevice = given(aDevice, ({ deviceSessionId }) => ({
  path: { workspaceId: "default", id: deviceSessionId }
}))

/** A member with a token of their own, who is invited to come back: accepts as themselves. */
const aReturning = (ask: Ask) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const member = yield* aMember(ask)
    const { token: key } = yield* made("/api/auth/tokens", {
      name: "ann",
      role: "agent",
      membershipId: member.id
    })(ask)
    yield* storage.write(
      Effect.zipRight(
        run(sql`INSERT OR IGNORE INTO workspaces (id, name, created_at) VALUES ('second', 'Second', 0)`),
        run(sql`UPDATE users SET email = ${member.email} WHERE id = ${member.userId}`)
      )
    )
    const { token } = yield* made("/api/identity/workspaces/second/invitations", {
      email: member.email,
      role: "agent"
    })(ask)
    return { key, token }
  })

export const identity: Readonly<Record<string, Scenario>> = {
  "auth.status": just(),
  "devices.list": given(aDevice, () => ({ path: { workspaceId: "default" }, query: "?limit=5" })),
  "devices.createPairing": just({ path: { workspaceId: "default" }, body: pairing }),
  "devices.exchange": given(aPairing, (body) => ({ body })),
  "devices.test": given(aDevice, ({ deviceSessionId }) => ({
    path: { workspaceId: "default", id: deviceSessionId },
    links: 0
  })),
  "devices.revoke": ofDevice,
  "invitations.list": given(anInvitation, () => ({ path: { workspaceId: "default" } })),
  "invitations.create": just({
    path: { workspaceId: "default" },
    body: { email: "new@example.com", role: "read-only" }
  }),
  "invitations.revoke": given(anInvitation, ({ id }) => ({ path: { id } })),
  "invitations.accept": given(aReturning, ({ key, token }) => ({
    as: null,
    headers: { "x-api-key": key },
    body: { token }
  })),
  "invitations.acceptNew": given(anInvitation, ({ email, token }) => ({
    body: { token, displayName: "Ann", email }
  })),
  "members.profile": just(),
  "members.workspaces": just(),
  "members.switch": just({ body: { workspaceId: "default" }, links: 0 }),
  "members.list": ofWorkspace,
  "members.update": given(aMember, ({ id }) => ({
    path: { workspaceId: "default", id },
    body: { role: "read-only" }
  })),
  "members.remove": given(aMember, ({ id }) => ({ path: { workspaceId: "default", id } })),
  "passwords.setup": given(unclaimed, () => ({
    body: { password, displayName: "Olga", email: "olga@example.com" }
  })),
  "passwords.login": given(claimed, () => ({ as: null, body: { password } })),
  "passwords.logout": just({ links: 0 }),
  "passwords.recover": given(claimed, ({ recoveryKey }) => ({
    as: null,
    body: { recoveryKey, newPassword: "another one, longer" }
  })),
  "passwords.change": given(claimed, () => ({
    body: { currentPassword: password, newPassword: "another one, longer" }
  })),
  "signing.rotate": just(),
  "signing.status": just(),
  "tokens.list": just({ query: "?limit=5" }),
  "tokens.create": just({
    body: { name: "CI", role: "agent", scopes: ["task:read"], expiresAt: "2999-01-01T00:00:00Z" }
  }),
  "tokens.revoke": given(made("/api/auth/tokens", { name: "CI", role: "agent" }), ({ id }) => ({
    path: { id }
  }))
}
