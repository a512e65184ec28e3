import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { alnum, base64, digits, hex, low, type Random, randomOf } from "./Random.ts"

/*
 * Texts without a secret in them, of the kinds that a board sees: the code and the lock file of this repository, tasks
 * of a backlog, logs, traces, hashes, ids, images, and what people say to each other in several languages.
 */

const root = fileURLToPath(new URL("../../../", import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), "utf8")

const filesBelow = (directory: string): ReadonlyArray<string> =>
  readdirSync(join(root, directory), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const source = (): ReadonlyArray<string> => filesBelow("src").map((file) => readFileSync(file, "utf8"))

/** So many of them, from the whole of them. */
const spread = (texts: ReadonlyArray<string>, count: number): ReadonlyArray<string> =>
  Array.from(
    { length: Math.min(count, texts.length) },
    (_, index) => texts[Math.floor((index * texts.length) / Math.min(count, texts.length))] ?? ""
  )

const linesOf = (text: string): ReadonlyArray<string> =>
  text.split("\n").filter((line) => line.trim().length > 12)

const blocksOf = (text: string): ReadonlyArray<string> =>
  text.split(/\n\n+/).filter((block) => block.length > 40 && block.length < 4_000)

const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

const said = [
  "Wir haben das Passwort zurückgesetzt und den Schlüssel beim Pförtner abgegeben.",
  "Bitte das Token erst erneuern, wenn der Lauf durch ist; es ist abgelaufen.",
  "Le mot de passe est obligatoire et doit contenir au moins 12 caractères.",
  "La clave es obligatoria; el token caduca en 15 minutos.",
  "A senha é obrigatória e a chave de acesso expira amanhã.",
  "Пароль изменён, ключ доступа обновлён до версии 2.",
  "パスワードは8文字以上にしてください。トークンは15分で失効します。",
  "密码必须至少包含 12 个字符，令牌在 15 分钟后过期。",
  "The password is required. The token is valid for 15 minutes, the secret is rotated by hand.",
  "the api key is missing in staging, so the job fails with 401",
  "Login is broken since 2.4.1: the cookie is set to SameSite=None without Secure.",
  "The pin is on the map, the key is under the mat, and the secret is out.",
  "Ask Anna for access; the credentials are in the vault under team/staging.",
  "Reviewed the token bucket: refill rate is 20/s, the burst is 40.",
  "Password reset: send the link, expire it after 30 minutes, and log password.reset without the address.",
  "Set the token to an empty string to log out.",
  "the session key is derived with HKDF-SHA256 from the master key",
  "API key rotation: create, deploy, revoke (docs/keys.md#rotation)",
  "| Setting | Default |\n| --- | --- |\n| password policy | strict |\n| token lifetime | 15m |",
  "- [ ] token refresh\n- [x] password policy\n- [ ] key rotation with `npm run rotate -- --dry-run`"
] as const

const verbs = [
  "fixed",
  "reviewed",
  "merged",
  "broke",
  "claimed",
  "finished",
  "explained",
  "reverted"
] as const
const nouns = [
  "the login form",
  "token refresh",
  "the key store",
  "password reset",
  "the pagination of keys",
  "the secret scan"
] as const
const names = [
  "anna",
  "bob",
  "agent-7",
  "codex",
  "claude-opus-4",
  "gpt-5.1-codex-mini",
  "release-bot"
] as const

const uuid = (r: Random): string =>
  `${r.of(hex, 8)}-${r.of(hex, 4)}-4${r.of(hex, 3)}-a${r.of(hex, 3)}-${r.of(hex, 12)}`
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"
const time = (r: Random): string =>
  `2026-0${1 + r.below(9)}-1${r.below(10)}T0${r.below(10)}:${10 + r.below(50)}:${10 + r.below(50)}.${r.of(digits, 3)}Z`

const makers: ReadonlyArray<(r: Random) => string> = [
  (r) =>
    `${r.pick(names)} ${r.pick(verbs)} ${r.pick(nouns)} in ${r.of(hex, 7)}, see task_${r.of(crockford, 16)}`,
  (r) => `commit ${r.of(hex, 40)}\nAuthor: ${r.pick(names)} <${r.pick(names)}@example.com>\nDate: ${time(r)}`,
  (r) => `sha256:${r.of(hex, 64)}`,
  (r) => `event id ${r.of(hex, 64)}, pubkey ${r.of(hex, 64)}`,
  (r) => uuid(r),
  (r) => `request ${uuid(r)} took ${r.of(digits, 3)} ms`,
  (r) => `"integrity": "sha512-${r.of(base64, 86)}=="`,
  (r) =>
    `${time(r)} INFO http request method=GET path=/api/v1/tasks/${r.of(digits, 4)} status=200 duration=${r.of(digits, 2)}ms`,
  (r) =>
    `${time(r)} WARN auth token expired for user=${r.pick(names)} session=devsession_${r.of(crockford, 16)}`,
  (r) =>
    `{"level":"info","time":"${time(r)}","msg":"token refreshed","tokens":${r.of(digits, 4)},"traceId":"govtrace_${r.of(crockford, 16)}"}`,
  (r) => `msg_${r.of(crockford, 16)} run_${r.of(crockford, 16)} ceremony_${r.of(crockford, 16)}`,
  (r) =>
    `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${Buffer.from(Array.from({ length: 240 }, () => r.below(256))).toString("base64")}`,
  (r) => Buffer.from(Array.from({ length: 90 }, () => r.below(256))).toString("base64"),
  (r) => Buffer.from(`${r.pick(said)} ${r.of(digits, 3)}`).toString("base64"),
  (r) => Buffer.from(`${r.pick(names)} ${r.pick(verbs)} ${r.pick(nouns)}`).toString("hex"),
  (r) =>
    `Error: ${r.pick(nouns)} failed\n    at Object.<anonymous> (/srv/app/src/${r.of(low, 6)}/auth.ts:${r.of(digits, 2)}:${r.of(digits, 2)})\n    at Module._compile (node:internal/modules/cjs/loader:1376:14)\n    at /srv/app/node_modules/effect/dist/esm/internal/fiberRuntime.js:${r.of(digits, 3)}:12`,
  (r) =>
    `src/${r.of(low, 8)}/tokens.ts:${r.of(digits, 2)}:${r.of(digits, 1)}: error TS2322: Type 'string' is not assignable to type 'Token'.`,
  (r) => `https://example.com/a/${uuid(r)}?page=${r.of(digits, 1)}&cursor=${r.of(low, 20)}&q=%C3%BCber%20uns`,
  (r) => `https://github.com/example/repo/commit/${r.of(hex, 40)}#diff-${r.of(hex, 64)}R${r.of(digits, 2)}`,
  (r) =>
    `docker run --rm -p ${r.of("123456789", 4)}:80 -u 1000:1000 registry.example.com/app:${r.of(hex, 12)}`,
  (r) => `git diff --stat ${r.of(hex, 8)}..${r.of(hex, 8)} -- src/auth | head -n ${r.of("123456789", 2)}`,
  (r) =>
    `image: registry.example.com/app@sha256:${r.of(hex, 64)}\nimagePullSecrets:\n  - name: registry-${r.of(low, 4)}`,
  (r) =>
    `const token${r.of(digits, 1)} = await issueToken({ user: "${r.pick(names)}", scopes: ["task:read"] })`,
  (r) => `expect(response.headers.get("authorization")).toBe(null) // ${r.of(hex, 7)}`,
  (r) => `| ${r.pick(names)} | ${r.of(digits, 3)} tokens | ${r.of(digits, 2)} % | ${r.of(hex, 7)} |`,
  (r) => `v${r.of(digits, 1)}.${r.of(digits, 2)}.${r.of(digits, 1)}-rc.${r.of(digits, 1)}+${r.of(hex, 7)}`,
  (r) => `${r.pick(said)} (${r.pick(names)}, ${time(r)})`,
  (r) => `${r.pick(said)}\n${r.pick(said)}\nSee ${r.of(alnum, 8)}.`,
  (r) =>
    `${r.of("123456789", 2)}:${10 + r.below(50)} ${r.pick(names)}: 👩‍💻 ${r.pick(verbs)} ${r.pick(nouns)} 🔑`,
  (r) => `00000000: ${r.of(hex, 4)} ${r.of(hex, 4)} ${r.of(hex, 4)} ${r.of(hex, 4)}  ................`,
  (r) =>
    `${r.of(hex, 2)}:${r.of(hex, 2)}:${r.of(hex, 2)}:${r.of(hex, 2)}:${r.of(hex, 2)}:${r.of(hex, 2)} 10.0.${r.of(digits, 2)}.7:8080`,
  (r) =>
    `x = ["${r.of(low, 8)}" + "${r.of(low, 8)}", '${r.of(low, 6)}' '${r.of(low, 6)}']\n${r.of(low, 12)}\\\n  ${r.of(low, 12)}`
]

/** What is written for readers; the page on security shows a secret. */
const pages = [
  "README.md",
  ...["agents", "api", "architecture", "cli", "import", "relay"].map((name) => `docs/${name}.md`)
]

/** Ten thousand ordinary texts, or the first so many of each kind. */
export const ordinaryTexts = (count: number): ReadonlyArray<readonly [kind: string, text: string]> => {
  const code = source()
  const random = randomOf(2026)
  const share = count / 10
  const of = (kind: string, texts: ReadonlyArray<string>) => texts.map((text) => [kind, text] as const)
  const fixed = [
    ...of("line of code", spread(code.flatMap(linesOf), share * 2.5)),
    ...of("block of code", spread(code.flatMap(blocksOf), share)),
    ...of("lock file", spread(linesOf(read("package-lock.json")), share)),
    ...of(
      "documentation",
      spread(
        pages.flatMap((page) => linesOf(read(page))),
        share / 2
      )
    ),
    ...of(
      "backlog",
      spread(
        linesOf(read("scratchpad/demo/backlog.jsonl")).flatMap((line) => textsIn(JSON.parse(line))),
        share
      )
    )
  ]
  const made = Array.from({ length: Math.max(count - fixed.length, 0) }, (_, index) => {
    const make = makers[index % makers.length]
    return [`generated ${index % makers.length}`, make?.(random) ?? ""] as const
  })
  return [...fixed, ...made]
}
