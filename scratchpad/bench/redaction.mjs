// What redaction costs: ordinary texts of several lengths, and a megabyte of the worst that each pattern can meet.
// Run it after `npm run build`, with other builds as arguments to compare: node scratchpad/bench/redaction.mjs [dist…]
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const builds = process.argv.length > 2 ? process.argv.slice(2) : [join(root, "dist")]

/** The processor's time of this process alone, in nanoseconds: a busy machine counts less. */
const spent = (work) => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (user + system) * 1_000
}

const code = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
const ordinary = {
  "field, 8 characters": ["todo", "code", "agent-7", "backend", "in review", "muster", "anna", "area/ui"],
  "title, 50 characters": readFileSync(join(root, "README.md"), "utf8")
    .split("\n")
    .filter((line) => line.length > 30 && line.length < 90),
  "description, 500 characters": code
    .flatMap((text) => text.split(/\n\n/))
    .filter((part) => part.length > 300 && part.length < 800)
}

const atoms = [
  ..."aA1-_.:\"\\ \n<%@|$=&`'+/~(",
  "%3A",
  "%67",
  "\\u0067",
  "\\x67",
  "&#x67;",
  "&#",
  "a\u200b",
  "\uff47",
  `${"a".repeat(23)} `,
  `${"a".repeat(31)}\n`,
  "67 ",
  "67:",
  "0x67",
  '"a"',
  '"a" + ',
  "'a' ",
  "a\\\n",
  "[REDACTED]",
  '[REDACTED]" + "abc',
  "[REDACTED]\nabcdefgh12\n",
  "xoxb-",
  "ghp_",
  "sk-a-",
  "sk_",
  "AKIA",
  "eyJ",
  "eyJaaaaaaaa.",
  "SG.aaaaaaaaaa.",
  "s.",
  "t1.",
  "t1.aaaaaaaa.",
  "key-",
  "pat.",
  "sc_aaaaa.",
  "muster_",
  "live_",
  "AAAA",
  "access-",
  "123456789012345|",
  "://",
  "://a:b",
  `://${"a".repeat(200)}:`,
  "%3A%2F%2Fa%3A",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n",
  "-----END PRIVATE KEY-----",
  "password=",
  'password="',
  'password="a\\"',
  'password=\\"',
  "password=(",
  "password=[",
  "password=a,",
  "password=a.",
  "password: ",
  "password:\n",
  "password: |\n  ",
  "api key ",
  "--token ",
  "password is ",
  "password for a ",
  "the token to ",
  "password 'a",
  'password "a',
  "password (",
  "identified by ",
  "identified with a by ",
  "password for a = ",
  '"password", ',
  "'password' => ",
  'name="password" ',
  "<key>password</key> ",
  "name: password\n",
  "| password ",
  "machine a login b ",
  "login a password ",
  "a:1234:b:c:",
  "*:*:a:b:\n",
  "docker login ",
  "docker login -p ",
  "mysql -p",
  "htpasswd -b a ",
  "pass:",
  "redis-cli -a ",
  "Authorization: ",
  "Authorization: digest ",
  "Bearer ",
  "Basic ",
  "Cookie: ",
  "cookie: a=",
  "?sig=a%",
  "curl -u a:",
  "<password>a</",
  "a1Q~",
  "MTAwMDAwMDAwMDAwMDAwMDAw."
]

for (const build of builds) {
  const { redactText } = await import(resolve(build, "kernel/Redaction.js"))
  process.stdout.write(`\n${build}\n`)
  for (const [name, texts] of Object.entries(ordinary)) {
    const work = () => {
      for (const text of texts) redactText(text)
    }
    work()
    const rounds = Math.ceil(40_000 / texts.length / (texts[0].length > 200 ? 8 : 1))
    const nanoseconds = spent(() => {
      for (let round = 0; round < rounds; round++) work()
    })
    process.stdout.write(`  ${name}: ${Math.round(nanoseconds / rounds / texts.length)} ns\n`)
  }
  const worst = atoms
    .map((atom) => {
      const text = atom.repeat(Math.ceil(1_000_000 / atom.length)).slice(0, 1_000_000)
      return [atom, Math.min(...[1, 2].map(() => spent(() => redactText(text)))) / 1e6]
    })
    .sort(([, one], [, other]) => other - one)
  process.stdout.write("  the worst of a megabyte, in milliseconds:\n")
  for (const [atom, milliseconds] of worst.slice(0, 25))
    process.stdout.write(`    ${milliseconds.toFixed(0).padStart(6)} ${JSON.stringify(atom).slice(0, 60)}\n`)
}
