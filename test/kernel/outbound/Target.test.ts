import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { publicOnly, refusalOf } from "../../../src/kernel/outbound/Address.ts"
import { checkUrl } from "../../../src/kernel/outbound/Target.ts"
import { hostileUrls, ordinaryUrls } from "./HostileUrls.ts"

const verdict = (url: string, allow = publicOnly) =>
  Either.match(checkUrl(url, allow), { onLeft: ({ reason }) => reason, onRight: () => "passes" })

const everywhere = { loopback: true, privateNetwork: true }

describe("a URL from outside", () => {
  it("leads to none of the places that are ours, in none of over three hundred spellings", () => {
    assert.isAbove(new Set(hostileUrls).size, 300)
    assert.deepStrictEqual(
      hostileUrls.filter((url) => verdict(url) === "passes"),
      []
    )
  })

  it("passes when it is an ordinary one", () => {
    assert.deepStrictEqual(
      ordinaryUrls.filter((url) => verdict(url) !== "passes"),
      []
    )
  })

  it("passes however often it has passed: what counts is the URL, not how warm the check is", () => {
    const url = "https://b\u00fccher.example/"
    const checks = 20_000
    assert.lengthOf(
      Array.from({ length: checks }, () => verdict(url)).filter((said) => said === "passes"),
      checks
    )
  })

  it("may lead to this machine or to private networks where an operator says so", () => {
    const loopback = { loopback: true, privateNetwork: false }
    const privateNetwork = { loopback: false, privateNetwork: true }
    for (const url of [
      "http://127.0.0.1:3000/",
      "http://localhost/",
      "http://[::1]/",
      "http://2130706433/"
    ]) {
      assert.strictEqual(verdict(url, loopback), "passes", url)
      assert.strictEqual(verdict(url, privateNetwork), "loopback", url)
    }
    for (const url of [
      "http://10.1.2.3/",
      "http://192.168.0.9/",
      "http://[fd12::1]/",
      "http://100.64.0.1/"
    ]) {
      assert.strictEqual(verdict(url, privateNetwork), "passes", url)
      assert.strictEqual(verdict(url, loopback), "private-network", url)
    }
  })

  it("never leads to metadata, link-local, or unspecified addresses, whatever an operator says", () => {
    const never = [
      "169.254.169.254",
      "169.254.7.7",
      "100.100.100.200",
      "168.63.129.16",
      "0.0.0.0",
      "192.0.0.192"
    ]
    for (const address of [
      ...never,
      "fe80::1",
      "fe80::1%eth0",
      "fd00:ec2::254",
      "::",
      "::ffff:169.254.169.254"
    ]) {
      assert.isDefined(refusalOf(address, everywhere), address)
    }
  })

  it("leads to this machine by none of its names, unless an operator says so", () => {
    const names = [
      "localhost",
      "localhost4",
      "localhost6",
      "localhost.localdomain",
      "localhost6.localdomain6",
      "ip6-localhost",
      "ip6-loopback",
      "api.localhost"
    ]
    for (const name of names.flatMap((one) => [one, `${one}.`, one.toUpperCase(), `a.${one}`])) {
      assert.strictEqual(verdict(`http://${name}:8080/`), "loopback", name)
      assert.strictEqual(verdict(`http://${name}:8080/`, everywhere), "passes", name)
    }
    for (const name of ["localhosts.example", "mylocalhost", "localhost.example.com", "ip6-localhost.com"]) {
      assert.strictEqual(verdict(`http://${name}/`), "passes", name)
    }
  })

  it("is one line of text that every parser reads alike, wherever it may lead", () => {
    for (const url of [
      "https://exa\nmple.com/",
      "https://example.com/a\r\nHost: other",
      "https://example.com/\t",
      "\nhttps://example.com/",
      "https://example.com/\u0000",
      "https://example.com/\u0085",
      "https://example.com/\u2028",
      "https://example.com/a b",
      "https://example.com\\@127.0.0.1/"
    ]) {
      assert.strictEqual(verdict(url, everywhere), "misleading", JSON.stringify(url))
    }
  })

  it("is refused with words that say what to do and do not repeat it", () => {
    const refused = checkUrl("http://user:hunter2@example.com/", publicOnly)
    assert.isTrue(Either.isLeft(refused))
    if (Either.isLeft(refused)) {
      assert.strictEqual(refused.left.message, "must not hold a user name or a password")
    }
  })
})
