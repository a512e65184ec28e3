import { rules as secretlintRules } from "@secretlint/secretlint-rule-preset-recommend"
import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { isSecretName, marker, redactJson, redactText } from "../../src/kernel/Redaction.ts"
import patterns from "./RedactionPatterns.json" with { type: "json" }

/** The same secrets on every run: a small generator with a fixed seed (mulberry32). */
const generator = (seed: number) => {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
  return (alphabet: string, length: number): string => {
    let text = ""
    while (text.length < length) text += alphabet[Math.floor(next() * alphabet.length)]
    return text
  }
}

const digits = "0123456789"
const hex = `${digits}abcdef`
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const lower = upper.toLowerCase()
const alnum = digits + upper + lower
const url = `${alnum}_-`
const base64 = `${alnum}+/`
const bech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

type Random = ReturnType<typeof generator>

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
const pemBody = (random: Random): string =>
  Array.from({ length: 6 }, (_, line) => (line === 0 ? `MII${random(base64, 61)}` : random(base64, 64))).join(
    "\n"
  )

/** One secret per rule, in the shape its maker gives it. */
const makers: Readonly<Record<string, (random: Random) => string>> = {
  "slack bot": (r) => `xoxb-${r(digits, 12)}-${r(digits, 13)}-${r(alnum, 24)}`,
  "slack user": (r) => `xoxp-${r(digits, 12)}-${r(digits, 12)}-${r(digits, 12)}-${r(hex, 32)}`,
  "slack app": (r) => `xapp-1-A${r(digits + upper, 10)}-${r(digits, 13)}-${r(hex, 64)}`,
  "slack refresh": (r) => `xoxe-1-${r(alnum, 146)}`,
  "github classic": (r) => `ghp_${r(alnum, 36)}`,
  "github oauth": (r) => `gho_${r(alnum, 36)}`,
  "github user": (r) => `ghu_${r(alnum, 36)}`,
  "github server": (r) => `ghs_${r(alnum, 36)}`,
  "github refresh": (r) => `ghr_${r(alnum, 36)}`,
  "github fine-grained": (r) => `github_pat_${r(alnum, 22)}_${r(alnum, 59)}`,
  "gitlab personal": (r) => `glpat-${r(url, 20)}`,
  "gitlab routable": (r) => `glpat-${r(url, 27)}.${r(digits, 2)}${r(digits + lower, 7)}`,
  "gitlab runner": (r) => `glrt-${r(url, 20)}`,
  "aws long-lived": (r) => `AKIA${r(`${upper}234567`, 16)}`,
  "aws temporary": (r) => `ASIA${r(`${upper}234567`, 16)}`,
  "google key": (r) => `AIza${r(url, 35)}`,
  "google access": (r) => `ya29.${r(url, 60)}`,
  "google client": (r) => `GOCSPX-${r(url, 28)}`,
  "stripe live": (r) => `sk_live_${r(alnum, 24)}`,
  "stripe restricted": (r) => `rk_live_${r(alnum, 24)}`,
  "stripe webhook": (r) => `whsec_${r(alnum, 32)}`,
  "openai legacy": (r) => `sk-${r(alnum, 20)}T3BlbkFJ${r(alnum, 20)}`,
  "openai project": (r) => `sk-proj-${r(url, 74)}T3BlbkFJ${r(url, 74)}`,
  "openai plain": (r) => `sk-${r(alnum, 48)}`,
  "model live": (r) => `sk-live-${r(alnum, 24)}`,
  anthropic: (r) => `sk-ant-api03-${r(url, 93)}AA`,
  npm: (r) => `npm_${r(alnum, 36)}`,
  nostr: (r) => `nsec1${r(bech32, 58)}`,
  sendgrid: (r) => `SG.${r(alnum, 22)}.${r(alnum, 43)}`,
  twilio: (r) => `SK${r(hex, 32)}`,
  telegram: (r) => `${r("123456789", 10)}:AA${r(url, 33)}`,
  discord: (r) => `M${r(lower, 8)}${r(digits + upper, 16)}.${r(url, 6)}.${r(url, 38)}`,
  vault: (r) => `hvs.${r(url, 95)}`,
  digitalocean: (r) => `dop_v1_${r(hex, 64)}`,
  shopify: (r) => `shpat_${r(hex, 32)}`,
  linear: (r) => `lin_api_${r(alnum, 40)}`,
  postman: (r) => `PMAK-${r(hex, 24)}-${r(hex, 34)}`,
  pypi: (r) => `pypi-AgEIcHlwaS5vcmc${r(url, 80)}`,
  "hugging face": (r) => `hf_${r(upper + lower, 34)}`,
  grafana: (r) => `glsa_${r(alnum, 32)}_${r(hex, 8)}`,
  notion: (r) => `ntn_${r(digits, 11)}${r(alnum, 35)}`,
  databricks: (r) => `dapi${r(hex, 32)}`,
  "1password": (r) => `ops_eyJ${r(alnum, 250)}fQ==`,
  age: (r) => `AGE-SECRET-KEY-1${r(bech32.toUpperCase(), 58)}`,
  jwt: (r) => `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url({ sub: r(digits, 10) })}.${r(url, 43)}`,
  "unsigned jwt": (r) => `${base64url({ alg: "none" })}.${base64url({ sub: r(digits, 10) })}.`
}

const samples = 20

/** Every rule's samples, with the name of the rule. */
const secrets: ReadonlyArray<readonly [rule: string, secret: string]> = Object.entries(makers).flatMap(
  ([rule, make], index) => {
    const random = generator(1000 + index)
    return Array.from({ length: samples }, () => [rule, make(random)] as const)
  }
)

/** The part of a secret that no text may show: its end, without the prefix that names its maker. */
const tail = (secret: string): string => secret.slice(Math.floor(secret.length / 2)).replace(/[.=]+$/, "")

const missed = (render: (secret: string) => string, redact: (text: string) => string = redactText) =>
  secrets.filter(([, secret]) => {
    const result = redact(render(secret))
    return result.includes(tail(secret)) || !result.includes(marker)
  })

/** Texts whose passwords are not recognised by their shape but by their place. */
const placed: ReadonlyArray<(password: string) => string> = [
  (p) => `password=${p}`,
  (p) => `export DB_PASSWORD=${p}`,
  (p) => `PASSWORD: "${p}"`,
  (p) => `password: ${p}`,
  (p) => `login with password=${p}, then retry`,
  (p) => `{"user":"bob","password":"${p}","n":1}`,
  (p) => `{\\"user\\":\\"bob\\",\\"password\\":\\"${p}\\",\\"n\\":1}`,
  (p) => `q=user%3Dbob%26password%3D${p}%26n%3D1`,
  (p) => `https://host/cb?user=bob&access_token=${p}&n=1`,
  (p) => `Server=db;Database=app;User Id=sa;Password=${p};Encrypt=true`,
  (p) => `api_key = "${p}"`,
  (p) => `const apiKey = '${p}'`,
  (p) => `config["clientSecret"] = \`${p}\``,
  (p) => `aws_secret_access_key = ${p}${p}`,
  (p) => `--password ${p} --verbose`,
  (p) => `--token=${p}`,
  (p) => `postgres://bob:${p}@db.example.net:5432/app`,
  (p) => `https%3A%2F%2Fbob%3A${p}%40host%2Fpath`,
  (p) => `"url":"https:\\/\\/bob:${p}@host\\/path"`,
  (p) => `Authorization: Bearer ${p}`,
  (p) => `authorization: Basic ${Buffer.from(`bob:${p}`).toString("base64")}`,
  (p) => `headers: { "Authorization": "Bearer ${p}" }`,
  (p) => `X-Api-Key: ${p}`,
  (p) => `Cookie: session=${p}; theme=dark`,
  (p) => `Set-Cookie: sid=${p}; Path=/; HttpOnly`,
  (p) => `curl -u bob:${p} https://host`,
  (p) => `https://s3.host/key?X-Amz-Signature=${p}&X-Amz-Date=20240101`,
  (p) => `https://blob.host/key?sv=2024&sig=${p}%3D&se=2024`,
  (p) => `<password>${p}</password>`,
  (p) => `//host/:_authToken=${p}`,
  (p) => `**Password:** ${p}`,
  (p) => `first line\\nDB_PASSWORD=${p}\\nlast line`,
  (p) => `echo ${Buffer.from(`DB_PASSWORD=${p}`).toString("base64")}`
]

/** Ordinary words of people, agents, logs and code. */
const ordinary = `fixed the login test, pushed 3 commits
claimed task_5d8v0kq2m1x7c9zr, branch feature/task-board
run_0123456789abcdef finished: 12 passed, 0 failed, 3 skipped
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
Merge 9fceb02..d670460 into main
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
event id 5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36
3f2504e0-4f89-11d3-9a0c-0305e82c3301
npub1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmalc2u
md5 d41d8cd98f00b204e9800998ecf8427e of an empty file
integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==
const password = getPassword()
const token = response.data.token
const token = await auth.issue(actor)
let secret = readSecret(path)
this.password = password
user.password = await hash(input.password)
password={password}
login(username=username, password=password)
createUser({ username, password })
if (password === confirmPassword) return true
if (token === undefined) return Option.none()
if (!token) throw new Unauthenticated()
password.length >= 8
password: string
password?: string
readonly password: Redacted.Redacted<string>
token: Option.Option<string>
apiKey: Schema.optional(Schema.String)
secret: boolean
token: Uint8Array
tokens: string[]
tokens: ReadonlyArray<Token>
password: z.string().min(8).max(64)
password: Schema.String.pipe(Schema.minLength(8))
type Token = Identifier | Punctuation
interface Credentials { readonly user: string; readonly password: string }
import { isSecretName } from "./names.ts"
import type { Token } from "./lexer.ts"
export const makeSecret = (bytes: Uint8Array): Secret => Internal.makeSecret
const apiKey = process.env.API_KEY
const apiKey = config.apiKey
apiKey: process.env.OPENAI_API_KEY
password: \${{ secrets.DB_PASSWORD }}
password=$DB_PASSWORD
PASSWORD=\${PASSWORD:-}
TOKEN=$(cat /run/secrets/token)
password: {{ vault.password }}
password: <your password>
token: <token>
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
-H "Authorization: Bearer \${TOKEN}"
Authorization: Bearer token required
authorization: required
authorization: the caller needs task:write
Authorization: Nostr base64(event)
Basic authentication is enough here
Basic Authentication over TLS
basic understanding of the codebase
bearer authentication
Bearer token required
the bearer of bad news
Password: required
Password: must be at least 8 characters
Password: 12 characters minimum
password: hashed
Missing password: unauthorized
token: invalid or expired
Token: a string of characters
Token refresh: 15 minutes
Token expired at 2024-05-01T10:00:00Z
tokens: 4096
max_tokens=4096
inputTokens: 1234, outputTokens: 55, cacheTokens: 0
{"inputTokens":1234,"outputTokens":55}
token count: 55
used 12345 tokens of 200000
nextPageToken: "abc123def456"
next page token: abc123def456
cancellationToken: source.token
the design token: color-primary-500
pass=12 fail=3 skip=0
PASS src/kernel/Redaction.test.ts
password reset link sent
passwordResetAt: 2024-01-01T00:00:00Z
passwordPolicy: strict
hasPassword: true
forgot password: send mail
secretary: bob12345
keyboard: qwerty123
primaryKey: "id"
publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK"
idempotencyKey: "a1b2c3d4e5f6"
idempotency-key: 3f2504e0-4f89-11d3-9a0c-0305e82c3301
key: value
key=abc123def
the key is under the mat
foreign key: task_id references tasks(id)
cache key: tasks:list:page:2
React key: item.id
authored by bob on 2024-01-01
author: alice
OAuth2 login flow
csrf protection: enabled
cookie: theme
cookieConsent: accepted
set a cookie on login
credentials: see the vault
fetch(url, { credentials: "include" })
fetch(url, { credentials: "same-origin" })
kind: Secret
secretName: db-credentials
secretKeyRef: { name: db, key: password }
arn:aws:secretsmanager:us-east-1:123456789012:secret:my-secret
arn:aws:iam::123456789012:role/deploy
the secret is good coffee
pin: 1.2.3
pin the version: node@20.11.1
pinned message in the squad chat
OTP 26.2 released
otp-26 image
PWD=/home/user/project
pwd: /srv/app
code: 404
error code: ENOENT
status code: 200
exit code: 137
connection string: see the README
connection refused: 127.0.0.1:5432
http://localhost:3000/@scope/package
https://example.com/path/to/page?user=bob&page=2
https://example.com/a:b@c
https://github.com/org/repo/commit/9fceb02d0ae598e95dc970b74767f19372d61af8
git@github.com:org/repo.git
ssh://git@github.com/org/repo.git
npm install effect@3.22.4 @effect/platform@0.97.2
npm_config_cache=/tmp/npm
npm_lifecycle_event=test
user@example.com wrote: looks good
mailto:someone@example.com
docker run -u 1000:1000 image
docker build --secret id=npmrc,src=.npmrc .
--mount=type=secret,id=token
use --token to authenticate
--token <token>
--password-stdin reads from standard input
pass --api-key or set the variable
.sk-folding-cube .sk-cube1 { width: 50% }
class="sk-spinner sk-chasing-dot"
risk-assessment-of-the-2024-release
task-based-scheduling-for-agents
disk-usage-report-2024
ghp_ is the prefix of GitHub tokens
tokens start with xoxb-, xoxp- or xapp-
AKIA is how AWS keys begin
the glob src/**/*.test.ts
/srv/project/src/kernel/redaction/patterns.ts:12:34
C:\\Users\\bob\\AppData\\Local\\Temp\\build.log
src/components/authentication/PasswordResetForm.tsx
at Object.<anonymous> (/srv/app/dist/server/authentication/tokens.js:10:15)
Error: listen EADDRINUSE: address already in use :::3000
TypeError: Cannot read properties of undefined (reading 'token')
2024-05-01T10:00:00.123Z INFO request GET /api/tasks 200 12ms
[10:00:00] level=info msg="token refreshed" user=bob duration=12ms
level=error msg="password mismatch" attempts=3
INSERT INTO tasks (id, title) VALUES ('task_5d8v0kq2m1x7c9zr', 'Rotate keys')
SELECT password_hash FROM users WHERE id = $1
ALTER TABLE users ADD COLUMN password VARCHAR(255) NOT NULL
CREATE INDEX tokens_by_user ON tokens (user_id)
diff --git a/src/auth.ts b/src/auth.ts
index 83db48f..bf2a1c3 100644
@@ -12,7 +12,9 @@ export const authenticate = (token: string) =>
-  return token
+  return Redacted.make(token)
- [ ] rotate the API keys
- [x] document the password policy
1. Open the settings, 2. choose "Change password", 3. confirm
## Authentication
The API key is created once and shown once.
An access token is valid for 15 minutes; a refresh token for 30 days.
Store the private key outside the repository.
How do I reset my password?
What is the secret of good tests?
Wir haben das Passwort geändert und den Schlüssel erneuert
パスワードを変更しました
Das Token ist abgelaufen: bitte neu anmelden
emoji are fine too: 🔑 🔒 key, lock
Lorem ipsum dolor sit amet, consectetur adipiscing elit
supercalifragilisticexpialidocious internationalization
0x71C7656EC7ab88b098defB751B7401B5f6d8976F
1.2.840.113549.1.1.11
::1 and fe80::1ff:fe23:4567:890a
192.168.0.1:8080
AA:BB:CC:DD:EE:FF
rgb(12, 34, 56) #a1b2c3
2024-W18-3T10:00:00+02:00
+49 30 1234567
ISBN 978-3-16-148410-0
v20.20.2 (x86_64-unknown-linux-gnu)
{"id":"msg_8f3k2j5h7g9d1s4a","text":"hello","reactions":[]}
{"schemaVersion":"run-event/v1","sequence":17,"kind":"output"}
{"token":null,"password":null}
password: null
token = undefined
"password": ""
password = ''
[link](https://example.com/docs/authentication#api-keys)
![image](https://example.com/a/b/c.png)
\`npm test -- --grep password\`
yes | head -n 1
a && b || c
x => x.token
tokens[i] === tokens[j]
token = tokens[i]
return token
for (const token of tokens) yield token
eyes on the prize
eyebrow.eyelash.eyelid
MIT License, see LICENSE
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7
the words BEGIN and PRIVATE KEY in prose
lint: no-secrets/no-secrets is off`.split("\n")

describe("redactText", () => {
  it("finds every structured secret in free text", () => {
    expect(missed((secret) => `deployed with ${secret} and it works`)).toEqual([])
    expect(missed((secret) => secret)).toEqual([])
    expect(missed((secret) => `(${secret})`)).toEqual([])
    expect(missed((secret) => `a ${secret}, b\n${secret}\n`)).toEqual([])
  })

  it("finds them in JSON, in escaped JSON, in URLs and in base64", () => {
    expect(missed((secret) => JSON.stringify({ note: secret }))).toEqual([])
    expect(missed((secret) => JSON.stringify({ note: `one\n${secret}\ntwo` }))).toEqual([])
    expect(missed((secret) => JSON.stringify(JSON.stringify({ note: `one\n${secret}` })))).toEqual([])
    expect(missed((secret) => `https://host/?q=${encodeURIComponent(`note:${secret}`)}&n=1`)).toEqual([])
    expect(missed((secret) => `see ${Buffer.from(`the key is ${secret}`).toString("base64")} there`)).toEqual(
      []
    )
  })

  it("finds a token that a line break splits, whatever line stands before it", () => {
    expect(redactText("GOCSPX-RnJVQcXrFr\n3UuE1aYWL1ya4ngHLg")).toBe(marker)
    expect(redactText("built1234abc\nGOCSPX-RnJVQcXrFr\n3UuE1aYWL1ya4ngHLg")).toBe(`built1234abc\n${marker}`)
  })

  it("finds the one secret among many encoded texts and many disguised lines, and leaves the others", () => {
    const random = generator(12)
    const words = Array.from({ length: 200 }, () => random(lower, 30))
    const secret = `ghp_${random(alnum, 36)}`
    const escaped = (text: string) =>
      text.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    for (const write of [(text: string) => Buffer.from(text).toString("base64"), escaped]) {
      const lines = words.map((word) => `see ${write(word)} there`)
      expect(redactText(lines.join("\n"))).toBe(lines.join("\n"))
      const found = redactText([...lines, write(secret), ...lines].join("\n"))
      expect(found).toBe([...lines, marker, ...lines].join("\n"))
    }
  })

  it("keeps the text around a secret", () => {
    const random = generator(7)
    expect(redactText(`push with ghp_${random(alnum, 36)} now`)).toBe(`push with ${marker} now`)
    expect(redactText("password=hunter2secret")).toBe(`password=${marker}`)
    expect(redactText('PASSWORD: "s3cr3t"')).toBe(`PASSWORD: "${marker}"`)
    expect(redactText("https://user:pass@host/path?x=1")).toBe(`https://user:${marker}@host/path?x=1`)
    expect(redactText("Authorization: Bearer abcdef")).toBe(`Authorization: Bearer ${marker}`)
    expect(redactText("GET /?sig=abcdef&page=2")).toBe(`GET /?sig=${marker}&page=2`)
    expect(redactText("password=a%20b&user=bob")).toBe(`password=${marker}&user=bob`)
  })

  it("finds a password behind a word that code has too, and leaves the code", () => {
    for (const word of ["and", "or", "if", "in", "not", "And"]) {
      const told = `user=ann ${word} password=`
      expect(redactText(`${told}hunter2secret, she says`)).toBe(`${told}${marker}, she says`)
      expect(redactText(`sign ${word} api_key: Xk9fQ2mZp7Lw`)).toBe(`sign ${word} api_key: ${marker}`)
    }
    for (const word of ["final", "private", "public"])
      expect(redactText(`my ${word} token=Xk9fQ2mZp7Lw`)).toBe(`my ${word} token=${marker}`)
    for (const code of [
      "private token: Base64Url",
      "readonly password = hashed2",
      "private token=nextToken",
      "select id from users where name=$1 and password=$2",
      "select 1 from a join b on a.id=b.id and token=b.token",
      "while token != end and password=stored",
      "if password: return password",
      "if token == expectedToken or token == previous:",
      "for token in tokens if token: yield token",
      "not password: it is a word"
    ])
      expect(redactText(code)).toBe(code)
  })

  it.each(placed.map((render) => [render("PASSWORD"), render] as const))(
    "finds the secret in %s",
    (_, render) => {
      const random = generator(42)
      for (let sample = 0; sample < samples; sample++) {
        const password = `${random(alnum, 12)}7x`
        const text = render(password)
        const result = redactText(text)
        expect(result).not.toContain(password)
        expect(result).toContain(marker)
        expect(result).not.toBe(text)
      }
    }
  )

  it("removes private keys: whole, cut off, escaped and encoded", () => {
    const random = generator(3)
    for (let sample = 0; sample < samples; sample++) {
      const kind = ["RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""][sample % 5]
      const body = pemBody(random)
      const lines = body.split("\n")
      const block = `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`
      expect(redactText(`key:\n${block}\nthat was it`)).toBe(`key:\n${marker}\nthat was it`)
      const cut = `-----BEGIN ${kind}PRIVATE KEY-----\n${body.slice(0, 200)}`
      const forms = [
        cut,
        JSON.stringify({ block }),
        JSON.stringify({ cut }),
        encodeURIComponent(block),
        `${cut}\n`
      ]
      for (const form of forms) {
        const result = redactText(form)
        expect(result).toContain(marker)
        for (const line of lines.slice(0, 3)) expect(result).not.toContain(line.slice(3, 11))
      }
    }
    expect(redactText("-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\nlQdGBF")).toBe(marker)
  })

  it("satisfies the rules of secretlint", () => {
    const random = generator(99)
    const corpus = [
      ...secrets.map(([, secret]) => `note ${secret} end`),
      ...placed.map((render) => render(random(alnum, 40))),
      ...["mongodb+srv", "mysql", "postgresql", "https"].map(
        (scheme) => `${scheme}://bob${random(lower, 4)}:${random(alnum, 16)}@db.company.net/app`
      ),
      `-----BEGIN RSA PRIVATE KEY-----\n${pemBody(random)}\n-----END RSA PRIVATE KEY-----`,
      `https://hooks.slack.com/services/T${random(upper, 8)}/B${random(upper, 8)}/${random(alnum, 24)}`
    ]
    const before = corpus.filter((text) => judged(text).length > 0)
    expect(before.length).toBeGreaterThan(200)
    expect(corpus.map(redactText).flatMap(judged)).toEqual([])
  })

  it("leaves ordinary texts alone", () => {
    expect(ordinary.length).toBeGreaterThanOrEqual(200)
    expect(ordinary.filter((text) => redactText(text) !== text)).toEqual([])
    const all = ordinary.filter((text) => !text.startsWith("-----")).join("\n\n")
    expect(redactText(all)).toBe(all)
  })

  it("leaves random identifiers and hashes alone", () => {
    const random = generator(11)
    for (let sample = 0; sample < 500; sample++) {
      for (const text of [
        `task_${random("0123456789abcdefghjkmnpqrstvwxyz", 16)}`,
        random(hex, 40),
        random(hex, 64),
        random(base64, 400),
        `${random(hex, 8)}-${random(hex, 4)}-4${random(hex, 3)}-a${random(hex, 3)}-${random(hex, 12)}`
      ]) {
        expect(redactText(text)).toBe(text)
      }
    }
  })

  it("changes nothing the second time", () => {
    const texts = [
      ...secrets.map(([, secret]) => `x ${secret} y`),
      ...placed.map((render) => render("Tr0ub4dor7x"))
    ]
    for (const text of texts) {
      const once = redactText(text)
      expect(redactText(once)).toBe(once)
    }
  })

  /** Ten times the input may cost about ten times the work; quadratic work would cost a hundred times as much. */
  it.each(patterns)("takes time in proportion to the length of %j", (atom) => {
    const large = atom.repeat(Math.ceil(1_000_000 / atom.length))
    const small = large.slice(0, 100_000)
    redactText(small.slice(0, 10_000))
    // A busy machine spoils one attempt; growth with the square of the length, which is 100 here, spoils them all.
    const isProportionate = () => timed(large) / Math.max(Math.min(timed(small), timed(small)), 1) < 40
    expect([1, 2, 3, 4].some(isProportionate)).toBe(true)
  })
})

/** The processor's time of this process, in milliseconds: what others do on the machine does not count. */
const timed = (text: string): number => {
  const before = process.cpuUsage()
  redactText(text)
  return process.cpuUsage(before).user / 1_000
}

/** What secretlint's recommended rules find, as an independent judge. Its own placeholders are not credentials. */
const judged = (content: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const rule of secretlintRules) {
    if (String(rule.meta.type) !== "scanner") continue
    const context = {
      createTranslator: () => (id: string) => ({ message: id, messageId: id }),
      report: ({ range }: { readonly range: readonly [number, number] }) => {
        const text = content.slice(...range)
        if (!text.includes(`:${marker}@`)) found.push(`${rule.meta.id} in ${content}`)
      }
    }
    const source = { content, filePath: "note.txt", ext: ".txt", contentType: "text", hasBOM: false }
    rule.create(context, {}).file?.(source)
  }
  return found
}

describe("isSecretName", () => {
  it.each(
    "password passwd pwd passphrase token access_token refreshToken secret clientSecret client-secret apiKey APIKey api-key x-api-key X-Auth-Token authorization Proxy-Authorization cookie set-cookie privateKey credential credentials connectionString DB_PASSWORD PGPASSWORD password2 newPassword passwordConfirmation AWS_SECRET_ACCESS_KEY accesstoken JWTSecret bearer pin seedPhrase spring.datasource.password".split(
      " "
    )
  )("knows %s", (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each(
    "inputTokens outputTokens cacheTokens tokens tokenName tokenType tokenCount maxTokens nextPageToken secretary secretName keyboard key keys publicKey primaryKey idempotencyKey passwordResetAt passwordPolicy hasPassword compass bypass passed author authority tokenizer pinned spin cookieName monkey turkey code errorCode connection constructor __proto__".split(
      " "
    )
  )("leaves %s", (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

describe("redactJson", () => {
  it("finds every structured secret in values and in keys, at any depth", () => {
    const through = (text: string) => JSON.stringify(redactJson({ list: [{ note: text }, { [text]: 1 }] }))
    expect(missed((secret) => secret, through)).toEqual([])
    expect(missed((secret) => `see ${secret} there`, through)).toEqual([])
  })

  it("hides what stands under a secret name", () => {
    expect(
      redactJson({
        password: "x",
        pin: 1234,
        token: 5,
        secret: 7,
        apiKey: null,
        cookie: true,
        authorization: "",
        credentials: { user: "bob", password: "x" },
        accessTokens: ["a"],
        "Set-Cookie": ["a=b"],
        tokens: 12,
        usage: { inputTokens: 1, tokens: { total: 2 } },
        tokenName: "deploy"
      })
    ).toEqual({
      password: marker,
      pin: marker,
      token: 5,
      secret: marker,
      apiKey: null,
      cookie: true,
      authorization: "",
      credentials: marker,
      accessTokens: marker,
      "Set-Cookie": marker,
      tokens: 12,
      usage: { inputTokens: 1, tokens: { total: 2 } },
      tokenName: "deploy"
    })
  })

  it("reads pairs and arguments that spell their name out", () => {
    expect(
      redactJson([
        { name: "Authorization", value: "Basic x" },
        { name: "title", value: "x" }
      ])
    ).toEqual([
      { name: "Authorization", value: marker },
      { name: "title", value: "x" }
    ])
    expect(redactJson(["run", "--password", "hunter", "--verbose"])).toEqual([
      "run",
      "--password",
      marker,
      "--verbose"
    ])
  })

  it("keeps both of two secret keys", () => {
    const random = generator(5)
    const value = { [`ghp_${random(alnum, 36)}`]: 1, [`ghp_${random(alnum, 36)}`]: 2 }
    expect(Object.values(redactJson(value))).toEqual([1, 2])
  })

  it("returns an unchanged value itself", () => {
    const kept = { a: [1, { b: "text" }] }
    const value = { kept, password: "x" }
    expect(redactJson(kept)).toBe(kept)
    expect(redactJson(value).kept).toBe(kept)
    expect(redactJson("text")).toBe("text")
    expect(redactJson(null)).toBe(null)
  })

  it("treats names of the prototype as ordinary keys", () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"password":"x"},"constructor":"c","toString":{"token":"t"}}'
    )
    const result = redactJson(value)
    expect(JSON.stringify(result)).toBe(
      `{"__proto__":{"password":"${marker}"},"constructor":"c","toString":{"token":"${marker}"}}`
    )
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
  })

  it("walks 10,000 levels", () => {
    let value: unknown = { password: "x" }
    for (let level = 0; level < 5000; level++) value = { level: [value] }
    let result = redactJson(value)
    for (let level = 0; level < 5000; level++) result = (result as { level: [unknown] }).level[0]
    expect(result).toEqual({ password: marker })
  })

  const withSecrets = FastCheck.jsonValue({ maxDepth: 4 }).chain((value) =>
    FastCheck.tuple(
      FastCheck.constant(value),
      FastCheck.constantFrom(
        ...secrets.map(([, secret]) => secret),
        ...placed.map((render) => render("Tr0ub4dor7x"))
      ),
      FastCheck.string(),
      FastCheck.constantFrom("password", "token", "note", "tokens", "x-api-key")
    ).map(([json, secret, text, name]) => ({
      json,
      [name]: json,
      list: [text + secret, `${secret}${text}`, { [secret]: text }]
    }))
  )

  it("changes nothing the second time", () => {
    FastCheck.assert(
      FastCheck.property(withSecrets, (value) => {
        const once = redactJson(value)
        expect(redactJson(once)).toBe(once)
      }),
      { numRuns: 500, seed: 1 }
    )
  })

  it("never changes a value without secrets", () => {
    const text = FastCheck.constantFrom(...ordinary)
    const name = FastCheck.constantFrom(
      "title",
      "note",
      "inputTokens",
      "tokenName",
      "keyboard",
      "__proto__",
      "id"
    )
    const { value } = FastCheck.letrec((tie) => ({
      value: FastCheck.oneof(
        { maxDepth: 5 },
        text,
        FastCheck.integer(),
        FastCheck.boolean(),
        FastCheck.constant(null),
        FastCheck.array(tie("value"), { maxLength: 4 }),
        FastCheck.dictionary(name, tie("value"), { maxKeys: 4 })
      )
    }))
    FastCheck.assert(
      FastCheck.property(value, (json) => {
        expect(redactJson(json)).toBe(json)
      }),
      { numRuns: 500, seed: 1 }
    )
  })
})
