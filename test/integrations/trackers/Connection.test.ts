import { assert, describe, it } from "@effect/vitest"
import { baseUrlIssues } from "../../../src/integrations/trackers/Connection.ts"

const issues = (url: string, hasCredential: boolean) => baseUrlIssues(new URL(url), hasCredential)

describe("the address of a tracker that gets a credential", () => {
  it("is https, or this machine's own", () => {
    for (const url of ["https://api.github.com", "http://127.0.0.1:3000", "http://tracker.localhost"]) {
      assert.deepStrictEqual(issues(url, true), [], url)
    }
    for (const url of ["http://api.github.com", "http://127.example.com", "http://10.0.0.1"]) {
      assert.strictEqual(issues(url, true)[0]?.path, "baseUrl", url)
    }
    assert.deepStrictEqual(issues("http://api.github.com", false), [])
  })
})
