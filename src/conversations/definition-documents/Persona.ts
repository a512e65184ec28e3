import { Either } from "effect"
import type { ProfileContent } from "../../board/agent-profiles/AgentProfile.ts"
import { publicOnly } from "../../kernel/outbound/Address.ts"
import { checkUrl, hostOf } from "../../kernel/outbound/Target.ts"
import type { Content } from "./Content.ts"
import { type Field, ignored, isRejected, mapped, nothing, type Read, rejected, sourceOnly } from "./Field.ts"
import { limits } from "./Limits.ts"
import { own, readList, readText, unknownFields } from "./Reader.ts"

/** What a definition says, as far as it is imported, with the report on its fields; or the report alone. */
export type Reading<A> = Either.Either<
  { readonly content: A; readonly fields: ReadonlyArray<Field> },
  ReadonlyArray<Field>
>

/** Fields that say how the persona answers, and to whom: that is left to its source. */
const reserved = ["respond_to", "respond_to_allowlist", "parallelism"]

const known: ReadonlySet<string> = new Set([
  "display_name",
  "system_prompt",
  "avatar_url",
  "runtime",
  "model",
  "provider",
  "name_pool",
  ...reserved
])

/** Reads a persona (spec 2-relay, Field handling on preview). */
export const readPersona = (source: Content): Reading<ProfileContent> => {
  const owned = "It belongs to the source: a refresh replaces it"
  const name = readText(source, "display_name", {
    target: "name",
    most: limits.personaName,
    required: true,
    reason: owned
  })
  const prompt = readText(source, "system_prompt", {
    target: "prompt",
    most: limits.prompt,
    lines: true,
    reason: owned
  })
  const preference = (field: "runtime" | "model" | "provider") =>
    readText(source, field, {
      target: `preferences.${field}`,
      most: limits.preference,
      reason: "A preference: it does not show that there is such a thing here"
    })
  const runtime = preference("runtime")
  const model = preference("model")
  const provider = preference("provider")
  const namePool = readList(source, "name_pool", {
    target: "metadata.namePool",
    most: limits.namePool,
    item: (text) => text.length >= 1 && text.length <= limits.personaName,
    items: `a name of 1 to ${limits.personaName} characters`,
    reason: "Names that agents may go by"
  })
  const avatarUrl = readAvatar(source)
  const fields = [
    ...[name, prompt, avatarUrl, runtime, model, provider, namePool].flatMap(({ fields }) => fields),
    ...reserved
      .filter((field) => own(source, field) !== undefined)
      .map((field) =>
        sourceOnly(field, "It says how the persona answers at its source, and is not applied here")
      ),
    ...unknownFields(source, known)
  ]
  if (name.value === undefined || fields.some(isRejected)) return Either.left(fields)
  return Either.right({
    fields,
    content: {
      name: name.value,
      prompt: prompt.value ?? "",
      ...(avatarUrl.value === undefined ? {} : { avatarUrl: avatarUrl.value }),
      preferences: {
        ...(runtime.value === undefined ? {} : { runtime: runtime.value }),
        ...(model.value === undefined ? {} : { model: model.value }),
        ...(provider.value === undefined ? {} : { provider: provider.value })
      },
      metadata: namePool.value === undefined ? {} : { namePool: namePool.value }
    }
  })
}

/**
 * A picture is no reason to refuse a persona: an address that nobody should be led to is left out. One that holds a
 * password is refused all the same.
 */
const readAvatar = (source: Content): Read<string> => {
  const found = own(source, "avatar_url")
  if (found === undefined || found === null || found === "") return nothing
  const field = (report: Field): Read<string> => ({ value: undefined, fields: [report] })
  if (typeof found !== "string") return field(rejected("avatar_url", "No text"))
  if (found.length > limits.url)
    return field(ignored("avatar_url", `Left out: more than ${limits.url} characters`))
  return Either.match(checkUrl(found, publicOnly), {
    onLeft: ({ reason }) =>
      reason === "credentials-in-url"
        ? field(rejected("avatar_url", "Secrets are never imported"))
        : field(ignored("avatar_url", "Left out: no address of the public web")),
    onRight: (url) =>
      isPublicName(hostOf(url))
        ? {
            value: url.href,
            fields: [mapped("avatar_url", "avatarUrl", "An address to show; it is never called")]
          }
        : field(ignored("avatar_url", "Left out: no address of the public web"))
  })
}

/** Names without a dot, and those of local networks, lead nobody to the same place. */
const isPublicName = (host: string): boolean =>
  host.includes(":") ||
  (host.includes(".") && !/\.(?:local|internal|lan|home|arpa|test|invalid)$/i.test(host))
