/**
 * How much a name says about its value. Under a `strong` name every text and number is a secret; under a `plain`
 * one every text; `plural` is a bare `tokens`, which counts far more often than it lists credentials.
 */
export type NameKind = "strong" | "plain" | "plural"

const whole =
  "pass pwd secret token key auth cookie cred pin otp jwt bearer mnemonic phrase conn code psk nsec login kennwort senha wachtwoord".split(
    " "
  )

/** Letters of which every secret name holds some: a cheap check before a name is split into words. */
export const stems = new RegExp([...whole, "pat(?![a-z])"].join("|"), "i")

/** The same as words, each of which a secret name may hold. */
export const stemWords = [...whole, "pat"]

const strong = new Set(
  "password passwords passwd pwd passphrase passcode passwort kennwort senha wachtwoord pin otp totp secret secrets mnemonic psk".split(
    " "
  )
)

const plain = new Set(
  "token credential credentials cred creds authorization cookie cookies bearer jwt apikey apikeys nsec privkey seckey pat".split(
    " "
  )
)

/** Words that make a key, a phrase, a code or a string a secret one when they stand right before it. */
const owners: Readonly<Record<string, ReadonlySet<string>>> = {
  key: new Set(
    "api access secret private signing encryption decryption auth master account shared service subscription symmetric hmac jwt app application admin license recovery openai anthropic stripe aes sonar ssh rsa pgp gpg tls ssl wireguard personal sdk ingest deploy bot gemini datadog dd twilio sendgrid mailgun hubspot netlify circleci sourcegraph langsmith langchain pinecone cohere mistral groq storage webhook integration".split(
      " "
    )
  ),
  phrase: new Set(["seed", "recovery", "secret", "pass"]),
  code: new Set(["recovery", "backup"]),
  string: new Set(["connection", "conn"]),
  str: new Set(["connection", "conn"]),
  word: new Set(["pass"]),
  login: new Set(["sonar"]),
  pass: new Set(
    "db database user smtp mail mysql pg postgres redis admin root ftp ssh auth login http proxy basic".split(
      " "
    )
  )
}

/** Compounds that were written as one word: `PGPASSWORD`, `accesstoken`, `clientsecret`. */
const compoundStrong =
  /(?:password|passwd|passphrase|(?:client|app|api|jwt|webhook|shared|consumer|signing|session)secret)$/
const compoundPlain =
  /(?:(?:api|secret|private|access|signing|account)key|(?:access|auth|api|refresh|bearer|session|id|bot|user|csrf|xsrf|oauth|client|app|security|deploy|personal|access)token|connectionstring)$/

/** `inputTokens`, `nextPageToken` and `cancelToken` count, page and cancel; they open nothing. */
const harmlessTokens = new Set(
  "input output prompt completion cache cached total count max min per reasoning thinking context used remaining estimated num page next prev previous continuation pagination cursor cancellation cancel abort sync design syntax lexer parser start end stop eos bos pad unk mask special keyword string color theme".split(
    " "
  )
)

/** `hasPassword`, `missingToken`: statements about a secret. */
const statements = new Set(
  "has is needs need requires require required allow allows enable enabled disable disabled supports should can show hide missing invalid no without with forgot forgotten wrong incorrect expired empty type interface enum class".split(
    " "
  )
)

/** Words behind the name that leave the value what it was: `passwordConfirmation`, `tokenValue`, `SECRET_PROD`. */
const qualifiers = new Set(
  "value confirmation confirm repeat again plain plaintext raw encoded base b prod production dev development staging old new current previous".split(
    " "
  )
)

/** Words of a name in any usual spelling: camelCase, PascalCase, snake_case, kebab-case, dotted or spaced. */
const wordsOf = (name: string): Array<string> =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/([A-Za-z])(\d)/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")

const singular = (word: string): string => (word.endsWith("s") && word.length > 3 ? word.slice(0, -1) : word)

const classify = (name: string): NameKind | undefined => {
  if (name === "_auth") return "plain"
  const words = wordsOf(name)
  let end = words.length - 1
  if (end > 0 && words[end] === "hash" && strong.has(words[end - 1] ?? "")) end--
  while (end > 0 && /^\d+$/.test(words[end] ?? "")) end--
  while (end > 0 && qualifiers.has(words[end] ?? "")) end--
  const last = words[end] ?? ""
  const before = end > 0 ? (words[end - 1] ?? "") : ""
  if (end > 0 && statements.has(words[0] ?? "")) return undefined
  if (last === "tokens" && before === "") return "plural"
  if (singular(last) === "token" && harmlessTokens.has(before)) return undefined
  if (strong.has(last) || compoundStrong.test(last)) return "strong"
  if (plain.has(last) || last === "tokens" || compoundPlain.test(last)) return "plain"
  if (last === "pass" && before === "") return "plain"
  if (owners[last]?.has(before) || owners[singular(last)]?.has(before))
    return last === "pass" || last === "word" ? "strong" : "plain"
  return undefined
}

/** Answers for recent names: the same few come in every event and every log line. */
const known = new Map<string, NameKind | undefined>()

/** What a name says of its value, or `undefined` for an ordinary name. Only the end of a very long name counts. */
export const kindOf = (name: string): NameKind | undefined => {
  const tail = name.length > 128 ? name.slice(-128) : name
  const before = known.get(tail)
  if (before !== undefined || !stems.test(tail) || known.has(tail)) return before
  if (known.size >= 1000) known.clear()
  const kind = classify(tail)
  known.set(tail, kind)
  return kind
}

/** Whether text under this name is a secret whatever it looks like: `dbPassword`, `x-api-key`, `Set-Cookie`. */
export const isSecretName = (name: string): boolean => {
  const kind = kindOf(name)
  return kind === "strong" || kind === "plain"
}
