import { isSecretName } from "../../kernel/Redaction.ts"
import { normalized } from "../../kernel/Text.ts"

/**
 * What must not come with a definition, and the words in field names that give it away (spec 2-relay, Field handling).
 */
const families: ReadonlyArray<readonly [what: string, words: ReadonlySet<string>]> = (
  [
    [
      "Secrets",
      "secret secrets password passwords passphrase nsec auth credential credentials cookie cookies"
    ],
    ["Environments", "env envs environ environment environments dotenv envvar envvars"],
    [
      "Commands",
      "command commands cmd cmds exec executable executables args argv shell script scripts entrypoint"
    ],
    [
      "Paths",
      "path paths cwd dir dirs directory directories workdir worktree folder folders file files filepath filename"
    ],
    ["Managed processes", "pid pids process processes daemon managed"],
    ["Tool servers", "mcp mcps mcpserver mcpservers toolserver toolservers"],
    ["Hooks", "hook hooks webhook webhooks"],
    ["Skills", "skill skills"],
    ["Engrams", "engram engrams"]
  ] as const
).map(([what, words]) => [what, new Set(words.split(" "))])

/** Words that are forbidden side by side. */
const pairs: ReadonlyMap<string, string> = new Map([
  ["tool server", "Tool servers"],
  ["tool servers", "Tool servers"],
  ["tools servers", "Tool servers"],
  ["runtime state", "Managed processes"]
])

const wordsOf = (name: string): ReadonlyArray<string> =>
  normalized(name, "NFKC")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "")

/** What the name of a field says that it holds, when that is never imported; undefined for a harmless name. */
export const forbiddenBy = (name: string): string | undefined => {
  if (isSecretName(name)) return "Secrets"
  const words = wordsOf(name)
  const family = families.find(([, known]) => words.some((word) => known.has(word)))
  if (family !== undefined) return family[0]
  const pair = words.map((word, index) => `${words[index - 1]} ${word}`).find((two) => pairs.has(two))
  return pair === undefined ? undefined : pairs.get(pair)
}
