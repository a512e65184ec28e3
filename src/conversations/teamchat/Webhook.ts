import { Either } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { checkUrl, isMisleading } from "../../kernel/outbound/Target.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { type AllowFlags, allowanceOf, messageOf } from "../adapters/Allowance.ts"

const refuse = (message: string) => Either.left<Issue>({ path: "webhookUrl", message })

/**
 * A webhook's URL in its canonical form, or what is wrong with it. Unlike a relay's it may have a query: that is where
 * many services put the secret. Names are not resolved here: that is done, and checked, for every call.
 */
export const webhookOf = (text: string, flags: AllowFlags): Either.Either<URL, Issue> =>
  Either.gen(function* () {
    if (isMisleading(text)) return yield* refuse("Expected an absolute https URL")
    const url = yield* Either.mapLeft(
      checkUrl(text, allowanceOf(flags)),
      (refused): Issue => ({ path: "webhookUrl", message: messageOf(refused) })
    )
    if (text.includes("#")) return yield* refuse("Expected a URL without a fragment")
    if (url.protocol === "http:" && !flags.allowLocalhost && !flags.allowPrivateNetwork)
      return yield* refuse(
        "Expected an https URL: without encryption only with allowLocalhost or allowPrivateNetwork"
      )
    return url
  })

/** A webhook's URL in its canonical form, wherever it leads; undefined for what is none. */
export const hrefOf = (text: string): string | undefined =>
  Either.getOrUndefined(webhookOf(text, { allowLocalhost: true, allowPrivateNetwork: true }))?.href

/** What stands in for a part of a path that looks generated: some services put the secret there. */
const hidden = "***"

const looksGenerated = (segment: string): boolean =>
  segment.length >= 20 && /\d/.test(segment) && /[A-Za-z]/.test(segment)

/** A webhook as it is shown: scheme, host and path. A query and a user are never shown, nor a path's generated parts. */
export const redactedOf = ({ origin, pathname }: URL): string =>
  redactText(
    `${origin}${pathname
      .split("/")
      .map((segment) => (looksGenerated(segment) ? hidden : segment))
      .join("/")}`
  )
