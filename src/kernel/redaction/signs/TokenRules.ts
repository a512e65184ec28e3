/**
 * Credentials that are recognised by their own shape, wherever they stand.
 *
 * Prefixes, lengths and alphabets follow the MIT-licensed default rules of gitleaks (config/gitleaks.toml, v8 line,
 * commit 009e025ad410), with the makers' own documents for what it lacks (Nostr, Groq, xAI, Supabase, Tailscale,
 * Amazon Bedrock, Netlify, CircleCI, LangSmith, Vercel, Pinecone). Minimum lengths are lower than the real ones wherever
 * the prefix alone says enough: a cut-off token is a secret as well.
 */
export interface Rule {
  readonly id: string
  /** The text is left alone unless it holds one of these. */
  readonly hints: ReadonlyArray<string>
  readonly pattern: RegExp
  readonly accept?: (match: string) => boolean
  /** The length of the shortest token, or less; most runs that hold a hint are too short for it. */
  readonly least: number
}

/**
 * A start that is not inside a word, or that follows an escape of JSON or of a URL (`\n`, `\u0022`, `%3D`). It is a
 * negative look-behind, as the engine then finds the letters of the token before it looks back.
 */
const start = String.raw`(?!(?<=[A-Za-z0-9])(?<!%[0-9A-Fa-f]{2}|\\[nrtbf]|\\u[0-9A-Fa-f]{4}))`
const end = "(?![A-Za-z0-9])"

const alnum = "[A-Za-z0-9]"
const word = String.raw`[\w-]`
const dotted = String.raw`[\w.-]`
const base64 = "[A-Za-z0-9+/_=-]"

/** How long a token is whose hint a body follows. */
const leastWith = (hints: ReadonlyArray<string>, body: number): number =>
  Math.min(...hints.map(({ length }) => length)) + body

const hasDigit = (text: string): boolean => /\d/.test(text)

/** A prefix that nothing else starts with. The body has eight characters with a digit, or `min` without one. */
const distinct = (
  id: string,
  prefix: string,
  body: string,
  min: number,
  ...hints: ReadonlyArray<string>
): Rule => {
  const head = new RegExp(`^(?:${prefix})`)
  return {
    id,
    hints,
    least: leastWith(hints, 8),
    pattern: new RegExp(`(?:${prefix})${body}{8,}`, "g"),
    accept: (match) => {
      const rest = match.replace(head, "")
      return rest.length >= min || hasDigit(rest)
    }
  }
}

/** A prefix that occurs elsewhere as well: it starts a word and its body has at least `min` characters. */
const exact = (
  id: string,
  prefix: string,
  body: string,
  min: number,
  ...hints: ReadonlyArray<string>
): Rule => ({
  id,
  hints,
  least: leastWith(hints, min),
  pattern: new RegExp(`${start}(?:${prefix})${body}{${min},}`, "g")
})

const shaped = (id: string, least: number, pattern: string, ...hints: ReadonlyArray<string>): Rule => ({
  id,
  hints,
  least,
  pattern: new RegExp(pattern, "g")
})

/** A part between dashes of sixteen characters, or of eight with a digit. */
const longPart = /[^-_]{16}|(?<![^-_])(?=[^-_]{8})[^-_]*\d/

/** `sk-cube-grid` is a style sheet's; `sk-proj-…`, `sk-live-…` and anything with a long unbroken part is a key. */
const isModelKey = (match: string): boolean => {
  const body = match.slice(3)
  if (/^(?:proj|live|test|svcacct|admin|ant|or)-/.test(body)) return body.length >= 20 || hasDigit(body)
  return longPart.test(body)
}

/** Letters in both cases, or a digit: not an identifier in lower case. */
const isVaried = (match: string): boolean =>
  hasDigit(match) || (/[A-Z]/.test(match) && /[a-z]/.test(match.slice(3)))

const isMixed = (match: string): boolean => hasDigit(match) && /[A-Z]/.test(match) && /[a-z]/.test(match)

export const rules: ReadonlyArray<Rule> = [
  distinct("slack", String.raw`xox[abceoprs](?:\.xox[bp])?-`, word, 16, "xox"),
  distinct("slack-app", "xapp-", word, 16, "xapp-"),
  shaped(
    "slack-webhook",
    41,
    String.raw`(?<=hooks\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9+/]{16,}`,
    "hooks.slack.com/"
  ),
  distinct("github", "gh[pousr]_", "[A-Za-z0-9_]", 20, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
  distinct("github-fine", "github_pat_", "[A-Za-z0-9_]", 16, "github_pat_"),
  distinct("gitlab", "gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-", dotted, 16, "gl"),
  exact("gitlab-runner", "GR1348941", word, 16, "GR1348941"),
  {
    ...exact("aws", "AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]", "[A-Z0-9]", 12, "AKIA", "ASIA", "ABIA", "ACCA", "A3T"),
    accept: (match) => match.length === 20 || hasDigit(match)
  },
  distinct("google-key", "AIza", word, 24, "AIza"),
  exact("google-access", String.raw`ya29\.`, dotted, 10, "ya29."),
  distinct("google-client", "GOCSPX-", word, 16, "GOCSPX-"),
  exact("google-refresh", "1//0|4/0A", word, 24, "1//0", "4/0A"),
  exact("stripe", "(?:sk|rk)_(?:live|test|prod)_", alnum, 6, "k_live_", "k_test_", "k_prod_"),
  distinct("stripe-webhook", "whsec_", base64, 16, "whsec_"),
  distinct("anthropic", "sk-ant-", word, 12, "sk-ant-"),
  { ...exact("model", "sk-", word, 8, "sk-"), accept: isModelKey },
  exact("groq", "gsk_", alnum, 20, "gsk_"),
  exact("xai", "xai-", alnum, 20, "xai-"),
  exact("perplexity", "pplx-", alnum, 20, "pplx-"),
  exact("hugging-face", "hf_|api_org_", alnum, 30, "hf_", "api_org_"),
  exact("replicate", "r8_", alnum, 30, "r8_"),
  exact("npm", "npm_", alnum, 20, "npm_"),
  shaped("nostr", 25, `${start}(?:ncryptsec|nsec)1[02-9ac-hj-np-z]{20,}`, "sec1"),
  shaped("sendgrid", 24, String.raw`${start}SG\.[\w-]{10,}\.[\w-]{10,}`, "SG."),
  shaped("twilio", 34, `${start}SK[0-9a-fA-F]{32}${end}`, "SK"),
  shaped("telegram", 38, String.raw`(?<!\d)\d{6,12}(?::|%3A)A[\w-]{30,}`, ":A", "%3AA"),
  {
    ...shaped("discord", 56, String.raw`${start}[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{25,}`, "."),
    accept: isMixed
  },
  shaped("discord-webhook", 45, String.raw`(?<=/api/webhooks/\d{10,20}/)[\w-]{20,}`, "/api/webhooks/"),
  distinct("vault", String.raw`hv[sbr]\.`, word, 20, "hvs.", "hvb.", "hvr."),
  distinct("digitalocean", "do[opr]_v1_", alnum, 16, "_v1_"),
  distinct("shopify", "shp(?:at|ca|pa|ss|ua)_", alnum, 16, "shp"),
  distinct("linear", "lin_(?:api|oauth)_", alnum, 16, "lin_"),
  distinct("postman", "PMAK-", word, 16, "PMAK-"),
  distinct("pypi", "pypi-AgE", word, 16, "pypi-AgE"),
  exact("databricks", "dapi", "[a-f0-9]", 32, "dapi"),
  exact("doppler", String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.`, dotted, 30, "dp."),
  exact("grafana", "glc_|glsa_", base64, 24, "glc_", "glsa_"),
  exact("grafana-key", "eyJrIjoi", base64, 50, "eyJrIjoi"),
  exact("heroku", "HRKU-AA", word, 30, "HRKU-AA"),
  exact("sentry", "sntrys_|sntryu_", base64, 24, "sntry"),
  exact("notion", "ntn_|secret_", alnum, 40, "ntn_", "secret_"),
  exact("atlassian", "ATATT3|ATCTT3|ATBB", base64, 24, "ATATT3", "ATCTT3", "ATBB"),
  exact("figma", "fig[dou]r?_", word, 30, "fig"),
  exact("fly", "fo1_|fm1[ar]_|fm2_", base64, 40, "fo1_", "fm1", "fm2_"),
  exact("new-relic", "NRAK-|NRII-|NRJS-", word, 19, "NRAK-", "NRII-", "NRJS-"),
  exact("square", "sq0(?:atp|csp)-", word, 20, "sq0"),
  exact("facebook", "EAA[ACM]", alnum, 40, "EAA"),
  exact("supabase", "sbp_|sb_secret_", word, 20, "sbp_", "sb_secret_"),
  exact("pulumi", "pul-", "[a-f0-9]", 40, "pul-"),
  exact("rubygems", "rubygems_", "[a-f0-9]", 40, "rubygems_"),
  exact("planetscale", "pscale_(?:tkn|oauth|pw)_", dotted, 24, "pscale_"),
  exact("prefect", "pnu_|pnb_", alnum, 30, "pnu_", "pnb_"),
  exact("tailscale", "tskey-", word, 16, "tskey-"),
  exact("docker", "dckr_(?:pat|oat)_", word, 20, "dckr_"),
  exact("age", "AGE-SECRET-KEY-1", "[A-Z0-9]", 20, "AGE-SECRET-KEY-1"),
  exact("1password", "ops_eyJ", base64, 40, "ops_eyJ"),
  shaped("1password-key", 33, `${start}A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}${end}`, "A3-"),
  exact("alibaba", "LTAI", alnum, 16, "LTAI"),
  exact("artifactory", "AKCp|cmVmd", alnum, 50, "AKCp", "cmVmd"),
  exact("airtable", "pat", String.raw`[A-Za-z0-9]{14}\.[a-f0-9]`, 1, "pat"),
  shaped("azure", 37, String.raw`(?!(?<=[\w~.-])(?<!\\[nrtbf]))[\w~.]{3}\dQ~[\w~.-]{31,34}`, "Q~"),
  shaped("terraform", 63, String.raw`${start}[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}`, ".atlasv1."),
  exact("dynatrace", String.raw`dt0[a-z]\d\d\.`, dotted, 40, "dt0"),
  exact("easypost", "EZ[AT]K", alnum, 54, "EZAK", "EZTK"),
  exact("sendinblue", "xkeysib-", word, 40, "xkeysib-"),
  shaped("mailchimp", 36, String.raw`${start}[a-f0-9]{32}-us\d{1,2}${end}`, "-us"),
  exact("duffel", "duffel_(?:test|live)_", "[A-Za-z0-9_=-]", 30, "duffel_"),
  exact("cloudflare", String.raw`v1\.0-[a-f0-9]{24}-`, "[a-f0-9]", 100, "v1.0-"),
  exact("openshift", "sha256~", word, 43, "sha256~"),
  { ...exact("muster", "muster_", word, 28, "muster_"), accept: isMixed },
  exact("bedrock", "ABSK", base64, 40, "ABSK"),
  exact("bedrock-short", "bedrock-api-key-", base64, 40, "bedrock-api-key-"),
  exact("aws-session", "FwoGZXIvYXdz|IQoJb3JpZ2lu", base64, 40, "FwoGZXIvYXdz", "IQoJb3JpZ2lu"),
  exact("aws-mws", String.raw`amzn\.mws\.`, "[a-f0-9-]", 32, "amzn.mws."),
  exact("sourcegraph", "sg[pds]_", "[A-Za-z0-9_]", 32, "sgp_", "sgd_", "sgs_"),
  exact("sonar", "sq[upa]_", "[a-f0-9]", 32, "squ_", "sqp_", "sqa_"),
  exact("netlify", "nf[pcoub]_", alnum, 32, "nfp_", "nfc_", "nfo_", "nfu_", "nfb_"),
  exact("mailgun", "(?:pub)?key-", "[a-f0-9]", 32, "key-"),
  shaped("mailgun-signing", 50, `${start}[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}${end}`, "-"),
  shaped(
    "hubspot",
    44,
    String.raw`${start}pat-[a-z]{2}\d-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}`,
    "pat-"
  ),
  exact("circleci", "CCI(?:PAT|PRJ)_", "[A-Za-z0-9_]", 30, "CCIPAT_", "CCIPRJ_"),
  exact("langsmith", "lsv2_(?:pt|sk)_|ls__", "[a-f0-9_]", 32, "lsv2_", "ls__"),
  exact("vercel", "vc[pkiars]_", alnum, 24, "vcp_", "vck_", "vci_", "vca_", "vcr_", "vcs_"),
  exact("pinecone", "pcsk_", "[A-Za-z0-9_]", 40, "pcsk_"),
  exact("resend", "re_[A-Za-z0-9]{8}_", alnum, 20, "re_"),
  exact("nvidia", "nvapi-", word, 40, "nvapi-"),
  exact("fireworks", "fw_", alnum, 22, "fw_"),
  exact("buildkite", "bk(?:ua|ct)_", alnum, 30, "bkua_", "bkct_"),
  exact("neon", "napi_", alnum, 40, "napi_"),
  exact("trello", "ATTA", "[a-f0-9]", 60, "ATTA"),
  exact("adobe", "p8e-", alnum, 32, "p8e-"),
  shaped(
    "authress",
    59,
    String.raw`${start}(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}`,
    ".acc"
  ),
  exact("clickhouse", "4b1d", alnum, 38, "4b1d"),
  exact("clojars", "CLOJARS_", alnum, 40, "CLOJARS_"),
  exact("defined-networking", "dnkey-", "[A-Za-z0-9=_-]", 60, "dnkey-"),
  exact("flutterwave", "FLWSECK(?:_TEST)?-", "[A-Za-z0-9-]", 12, "FLWSECK"),
  exact("frameio", "fio-u-", "[A-Za-z0-9=_-]", 50, "fio-u-"),
  { ...shaped("freemius", 32, `${start}sk_${word}{29}${end}`, "sk_"), accept: isVaried },
  exact("gitter-gocardless", "live_", "[A-Za-z0-9=_-]", 40, "live_"),
  shaped("harness", 72, String.raw`${start}[ps]at\.[\w-]{22}\.[A-Fa-f0-9]{24}\.[A-Za-z0-9]{20}`, "at."),
  exact("infracost", "ico-", alnum, 32, "ico-"),
  exact("intra42", "s-s4t2(?:ud|af)-", "[a-f0-9]", 40, "s-s4t2"),
  exact("lob", "(?:live|test)_(?:pub_)?", "[a-f0-9]", 31, "live_", "test_"),
  shaped("maxmind", 40, `${start}[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk${end}`, "_mmk"),
  shaped("mapbox", 86, String.raw`${start}[ps]k\.[A-Za-z0-9]{60}\.[\w-]{22}`, "k."),
  shaped(
    "teams-webhook",
    109,
    String.raw`(?<=webhook\.office\.com/webhookb2/)[a-z0-9@-]{60,80}/IncomingWebhook/[a-z0-9/-]{32,}`,
    "webhookb2/"
  ),
  exact("octopus", "API-", "[A-Z0-9]", 25, "API-"),
  shaped("plaid", 51, `${start}access-(?:sandbox|development|production)-[0-9a-f-]{36}`, "access-"),
  exact("readme", "rdme_", "[a-z0-9]", 60, "rdme_"),
  exact("scalingo", "tk-us-", word, 40, "tk-us-"),
  exact("settlemint", "sm_[aps]at_", alnum, 16, "sm_"),
  exact("shippo", "shippo_(?:live|test)_", "[a-fA-F0-9]", 32, "shippo_"),
  exact("square-access", "EAAA", word, 40, "EAAA"),
  exact("typeform", "tfp_", "[A-Za-z0-9_.=-]", 40, "tfp_"),
  {
    ...shaped("vault-legacy", 26, String.raw`${start}s\.[A-Za-z0-9]{24}${end}`, "s."),
    accept: isMixed
  },
  exact("yandex", "AQVN", word, 35, "AQVN"),
  shaped("yandex-access", 92, String.raw`${start}t1\.[\w-]{8,400}={0,2}\.[\w-]{80,}={0,2}`, "t1."),
  shaped("facebook-app", 43, String.raw`(?<!\d)\d{15,16}(?:\||%7C)[\w-]{27,40}(?![\w-])`, "|", "%7C"),
  shaped("firebase", 112, String.raw`${start}AAAA[\w-]{7}:[\w-]{100,}`, "AAAA"),
  exact("google-hmac", "GOOG1[AE]", "[A-Z0-9]", 50, "GOOG1"),
  exact("sendinblue-smtp", "xsmtpsib-", word, 40, "xsmtpsib-"),
  exact("dropbox", String.raw`sl\.(?:u\.)?`, "[A-Za-z0-9_=-]", 100, "sl."),
  exact("elevenlabs", "sk_", "[a-f0-9]", 40, "sk_"),
  exact("razorpay", "rzp_(?:live|test)_", alnum, 14, "rzp_"),
  exact(
    "braintree",
    String.raw`access_token\$(?:production|sandbox)\$`,
    String.raw`[\w$]`,
    30,
    "access_token$"
  ),
  shaped(
    "jwt",
    20,
    String.raw`${start}(?:eyJ[\w-]{8,}\.[\w-]{8,}|ey[\w-]{17,}\.ey[\w-]{17,})(?:\.[\w-]{0,8192}){0,3}={0,2}`,
    "ey"
  )
]
