import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import { type ActorContext, type AuthMethod, actorOf } from "../../src/kernel/Actor.ts"
import { deniedTo, lackOf, PermissionDenied } from "../../src/kernel/Authorization.ts"
import { Permission, permissionsOf, Role } from "../../src/kernel/Permission.ts"
import {
  anyOf,
  compile,
  enoughFor,
  forReaders,
  fromHere,
  inPasswordSession,
  inRole,
  plainPermission,
  type Requirement,
  told
} from "../../src/kernel/Requirement.ts"

/** A requirement with what it says, in sets: which of all cases it lets through. */
interface Stated {
  readonly requirement: Requirement
  readonly opens: (asked: Asked) => boolean
}

/** Somebody at a route. */
interface Asked {
  readonly by: ActorContext
  readonly method: "GET" | "POST"
  readonly here: boolean
}

const permissions = fc.constantFrom(...Permission.literals)
const roles = fc.constantFrom(...Role.literals)
const capability = "local-agent:run"

const holds = (permission: Permission, { by }: Asked): boolean => [...by.permissions].includes(permission)
const mayWrite = ({ by, method }: Asked): boolean => method === "GET" || by.role !== "read-only"

const single: fc.Arbitrary<Stated> = fc.oneof(
  permissions.map((permission) => ({
    requirement: permission,
    opens: (asked: Asked) => holds(permission, asked) && mayWrite(asked)
  })),
  permissions.map((permission) => ({
    requirement: forReaders(permission),
    opens: (asked: Asked) => holds(permission, asked)
  })),
  fc.tuple(roles, permissions).map(([role, permission]) => ({
    requirement: inRole(role, permission),
    opens: (asked: Asked) => asked.by.role === role && holds(permission, asked) && mayWrite(asked)
  })),
  permissions.map((permission) => ({
    requirement: inPasswordSession(capability, permission),
    opens: (asked: Asked) =>
      asked.by.authMethod === "password-session" &&
      (asked.by.capabilities ?? []).includes(capability) &&
      holds(permission, asked) &&
      mayWrite(asked)
  })),
  permissions.map((permission) => ({
    requirement: fromHere(permission),
    opens: (asked: Asked) => asked.here && holds(permission, asked) && mayWrite(asked)
  }))
)

const stated: fc.Arbitrary<Stated> = fc.oneof(
  single,
  fc.tuple(single, single, fc.array(single, { maxLength: 2 })).map(([one, other, more]) => ({
    requirement: anyOf(one.requirement, other.requirement, ...more.map(({ requirement }) => requirement)),
    opens: (asked: Asked) => [one, other, ...more].some(({ opens }) => opens(asked))
  }))
)

const actors: fc.Arbitrary<ActorContext> = fc
  .record({
    role: roles,
    authMethod: fc.constantFrom<AuthMethod>("api-key", "api-token", "device-session", "password-session"),
    scopes: fc.subarray([...Permission.literals]),
    capabilities: fc.constantFrom(undefined, [], [capability], ["other", capability])
  })
  .map(({ authMethod, capabilities, role, scopes }) => ({
    ...actorOf({ name: "somebody", role, authMethod }),
    permissions: new Set(scopes),
    ...(capabilities === undefined ? {} : { capabilities })
  }))

const asked: fc.Arbitrary<Asked> = fc.record({
  by: actors,
  method: fc.constantFrom("GET" as const, "POST" as const),
  here: fc.boolean()
})

const admits = (requirement: Requirement, { by, here, method }: Asked): boolean =>
  compile(requirement, method)(by, () => here)

/** Every credential that there is with one scope or all: a table small enough to look at every row. */
const table: ReadonlyArray<Asked> = Role.literals.flatMap((role) =>
  [...Permission.literals.map((scope) => new Set([scope])), permissionsOf(role)].flatMap((held) =>
    (["api-key", "device-session", "password-session"] as const).flatMap((authMethod) =>
      (["GET", "POST"] as const).flatMap((method) =>
        [true, false].map((here) => ({
          by: {
            ...actorOf({ name: "somebody", role, authMethod }),
            permissions: held,
            capabilities: [capability]
          },
          method,
          here
        }))
      )
    )
  )
)

describe("a requirement", () => {
  it("lets through whom it says, for all roles, scopes, credentials and places", () => {
    fc.assert(
      fc.property(stated, asked, ({ opens, requirement }, one) => {
        assert.strictEqual(admits(requirement, one), opens(one))
      }),
      { numRuns: 2_000 }
    )
    fc.assert(
      fc.property(stated, ({ opens, requirement }) => {
        for (const one of table) assert.strictEqual(admits(requirement, one), opens(one))
      }),
      { numRuns: 50 }
    )
  })

  it("is met by more scopes whenever it is met by fewer, and never without one", () => {
    fc.assert(
      fc.property(stated, asked, permissions, ({ requirement }, one, more) => {
        const { by } = one
        const wider = { ...one, by: { ...by, permissions: new Set([...by.permissions, more]) } }
        if (admits(requirement, one)) assert.isTrue(admits(requirement, wider))
        assert.isFalse(admits(requirement, { ...one, by: { ...by, permissions: new Set<Permission>() } }))
      }),
      { numRuns: 1_000 }
    )
  })

  it("takes nobody to be on the machine of the server where nobody says so", () => {
    const writer = actorOf({ name: "somebody", role: "admin", authMethod: "api-key" })
    assert.isFalse(compile(fromHere("agent:write"), "POST")(writer))
    assert.isTrue(compile(fromHere("agent:write"), "POST")(writer, () => true))
  })

  it("counts what a session can do, and not what was chosen for a device", () => {
    const session = {
      ...actorOf({ name: "owner", role: "agent", authMethod: "password-session" }),
      capabilities: [capability]
    }
    const rewind = compile(inPasswordSession(capability, "task:write"), "POST")
    assert.isTrue(rewind(session))
    assert.isFalse(rewind({ ...session, authMethod: "device-session" }))
    assert.isFalse(rewind({ ...session, capabilities: [] }))
  })
})

describe("the refusal of a requirement", () => {
  it("names what would have been enough: whoever has any of it is let through", () => {
    fc.assert(
      fc.property(stated, asked, ({ requirement }, one) => {
        const { enough, requiredPermission } = lackOf(requirement)
        for (const { capability: needed, permission, role } of enough ?? [
          { permission: requiredPermission }
        ]) {
          const writer = actorOf({ name: "other", role: role ?? "agent", authMethod: "password-session" })
          const by = {
            ...writer,
            permissions: new Set([permission]),
            capabilities: needed === undefined ? [] : [needed]
          }
          const method = role === "read-only" ? "GET" : one.method
          assert.isTrue(admits(requirement, { by, method, here: true }))
        }
      }),
      { numRuns: 1_000 }
    )
  })

  it("is a permission alone where nothing else is asked for, and a list where it is", () => {
    const agent = actorOf({ name: "codex", role: "agent", authMethod: "api-key" })
    const details = (requirement: Requirement) => {
      const { _tag, ...rest } = Schema.encodeSync(PermissionDenied)(deniedTo(agent, requirement))
      return rest
    }
    for (const plain of ["policy:write", forReaders("policy:write")] as const) {
      assert.deepStrictEqual(details(plain), { requiredPermission: "policy:write", role: "agent" })
      assert.strictEqual(plainPermission(plain), "policy:write")
    }
    assert.deepStrictEqual(details(inRole("admin", "policy:write")), {
      requiredPermission: "policy:write",
      role: "agent",
      enough: [{ permission: "policy:write", role: "admin" }]
    })
    assert.deepStrictEqual(details(anyOf("agent:write", inRole("admin", "task:write"))), {
      requiredPermission: "agent:write",
      role: "agent",
      enough: [{ permission: "agent:write" }, { permission: "task:write", role: "admin" }]
    })
  })

  it("says to a reader that they read, where reading is all that stands against them", () => {
    const reader = actorOf({ name: "reader", role: "read-only", authMethod: "api-key" })
    assert.isTrue(deniedTo(reader, "settings:read").readsOnly)
    assert.isUndefined(deniedTo(reader, "settings:write").readsOnly)
    assert.isUndefined(deniedTo(reader, inRole("admin", "settings:read")).readsOnly)
  })

  it("reads as a sentence", () => {
    const localControl = anyOf(
      inRole("admin", "agent:write"),
      inPasswordSession(capability, "task:write"),
      fromHere("agent:write")
    )
    assert.strictEqual(
      told(enoughFor(localControl)),
      "the permission agent:write with the role admin, or the permission task:write in a password session with local-agent:run, or the permission agent:write on the machine of the server"
    )
  })
})
