import type { Described } from "./help/Described.ts"

/** What the words behind the name of a command say before they are read as values. */
export interface Words {
  /** The command that they are for: the one that was named, or one below it. */
  readonly command: Described
  readonly asksForHelp: boolean
  readonly unknownOption: string | undefined
  readonly unknownSubcommand: string | undefined
}

/** What looks like an option: two dashes, or one and a letter. */
const option = /^--?[A-Za-z]/

/** The words before two dashes that stand alone: what follows them is text, whatever it looks like. */
const read = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = words.indexOf("--")
  return end < 0 ? words : words.slice(0, end)
}

/** The options among words, without the values of those that the command has. */
const optionsAmong = ({ parts }: Described, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    if (!option.test(word)) continue
    const [name = ""] = word.split("=")
    found.push(name)
    const known = parts.find((part) => part.option === name.toLowerCase())
    if (known?.takesValue === true && name === word) index++
  }
  return found
}

/** Looks at the words behind the name of a command. */
export const wordsFor = (called: Described, words: ReadonlyArray<string>): Words => {
  const before = read(words)
  const first = before.find((word) => !option.test(word))
  const below = called.subcommands.find(({ path }) => path.at(-1) === first)
  const command = below ?? called
  const options = optionsAmong(command, before)
  const known = new Set(command.parts.flatMap((part) => part.option ?? []))
  return {
    command,
    asksForHelp: options.includes("--help") || options.includes("-h"),
    unknownOption: options.find((name) => !known.has(name.toLowerCase())),
    unknownSubcommand: below === undefined && called.subcommands.length > 0 ? first : undefined
  }
}
