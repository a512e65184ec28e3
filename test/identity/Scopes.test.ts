import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, FastCheck as fc } from "effect"
import { requireWithin } from "../../src/identity/principals/GrantLimit.ts"
import { effective, granted, grantedToToken, isAbove, lower } from "../../src/identity/principals/Scopes.ts"
import { Permission, permissionsOf, Role } from "../../src/kernel/Permission.ts"

const role = fc.constantFrom(...Role.literals)
const scopes = fc.uniqueArray(fc.constantFrom(...Permission.literals))

describe("what a credential may do", () => {
  it("is never more than its grant, its role and its member", () => {
    fc.assert(
      fc.property(role, scopes, role, (given, asked, member) => {
        const { permissions, role: now } = effective({ role: given, scopes: asked }, member)
        for (const permission of permissions) {
          assert.include(asked, permission)
          if (permission === "agent:write" && now === "agent") {
            assert.strictEqual(given, "agent", "only what was an agent's from the start goes beyond the role")
            continue
          }
          assert.isTrue(permissionsOf(given).has(permission))
          assert.isTrue(permissionsOf(member).has(permission))
        }
        assert.strictEqual(now, lower(given, member))
      })
    )
  })

  it("is all of its grant, without a word, while the member keeps the role", () => {
    fc.assert(
      fc.property(role, scopes, (given, asked) => {
        const scopes = granted(given, asked)
        const now = effective({ role: given, scopes }, given)
        assert.sameMembers([...now.permissions], [...scopes])
        assert.notProperty(now, "degradedReason")
      })
    )
  })

  it("is handed on within bounds: only what its holder has, in no role above theirs", () => {
    fc.assert(
      fc.property(role, scopes, role, scopes, (own, held, given, asked) => {
        const holder = effective({ role: own, scopes: held }, own)
        const grant = { role: given, scopes: granted(given, asked) }
        const within = Exit.isSuccess(Effect.runSyncExit(requireWithin(grant, holder)))
        const wider = grant.scopes.some((scope) => !holder.permissions.has(scope)) || isAbove(given, own)
        assert.strictEqual(within, !wider)
      })
    )
  })

  it("goes beyond a role in one scope: agent:write, in a token of an agent that names it", () => {
    fc.assert(
      fc.property(role, scopes, (given, asked) => {
        const carried = grantedToToken(given, asked)
        const more = carried.filter((scope) => !permissionsOf(given).has(scope))
        const expected = given === "agent" && asked.includes("agent:write") ? ["agent:write"] : []
        assert.deepStrictEqual(more, expected)
        assert.deepStrictEqual(
          carried.filter((scope) => !more.includes(scope)),
          granted(given, asked)
        )
      })
    )
    assert.notInclude(grantedToToken("agent"), "agent:write")
    assert.notInclude(granted("agent", ["agent:write"]), "agent:write")
  })

  it("loses what goes beyond a role when its own was higher, or its member only reads", () => {
    const asked = ["agent:read", "agent:write"] as const
    const rights = (given: Role, member: Role) => [
      ...effective({ role: given, scopes: asked }, member).permissions
    ]
    assert.deepStrictEqual(rights("agent", "agent"), ["agent:read", "agent:write"])
    assert.deepStrictEqual(rights("agent", "admin"), ["agent:read", "agent:write"])
    assert.deepStrictEqual(rights("admin", "agent"), ["agent:read"])
    assert.deepStrictEqual(rights("agent", "read-only"), ["agent:read"])
  })

  it("says what it lost when the member's role was lowered", () => {
    const { degradedReason, permissions } = effective(
      { role: "admin", scopes: ["task:read", "task:write", "admin:manage"] },
      "read-only"
    )
    assert.deepStrictEqual([...permissions], ["task:read"])
    assert.include(degradedReason, "task:write, admin:manage")
  })
})
