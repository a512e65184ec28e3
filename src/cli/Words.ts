import type { Described, Part } from "./help/CommandDescription.ts"

/** The words after the name of a command, before the parser reads their values. */
export interface Words {
  /** The command that they are for: the named one, or a subcommand of it. */
  readonly command: Described
  readonly asksForHelp: boolean
  readonly unknownOption: string | undefined
  /** An option without the value that it needs. */
  readonly optionWithoutValue: Part | undefined
  /** An option that the command needs and that is missing. */
  readonly missingOption: Part | undefined
  readonly unknownSubcommand: string | undefined
}

/** What looks like an option: two dashes, or one and a letter. */
const option = /^--?[A-Za-z]/

/** The words before `--`: what follows it is never an option. */
const read = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = words.indexOf("--")
  return end < 0 ? words : words.slice(0, end)
}

/** An option among words, and whether a word is left for its value. */
interface Given {
  readonly name: string
  readonly part: Part | undefined
  readonly lacksValue: boolean
}

/** The options among words, and the words that are none; the values of known options are left out. */
const sorted = ({ parts }: Described, words: ReadonlyArray<string>) => {
  const options: Array<Given> = []
  const others: Array<string> = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    if (!option.test(word)) {
      others.push(word)
      continue
    }
    const [name = ""] = word.split("=")
    const part = parts.find((one) => one.option === name.toLowerCase())
    const hasOwnWord = part?.takesValue === true && name === word
    if (hasOwnWord) index++
    const endsEarly = part?.takesValue === true && word === `${name}=`
    options.push({ name, part, lacksValue: endsEarly || (hasOwnWord && index >= words.length) })
  }
  return { options, others }
}

/** Analyses the words after the name of a command. */
export const wordsFor = (called: Described, words: ReadonlyArray<string>): Words => {
  const before = read(words)
  const [first] = sorted(called, before).others
  const below = called.subcommands.find(({ path }) => path.at(-1) === first)
  const command = below ?? called
  const { options } = sorted(command, before)
  return {
    command,
    asksForHelp: options.some(({ name }) => name === "--help" || name === "-h"),
    unknownOption: options.find(({ part }) => part === undefined)?.name,
    optionWithoutValue: options.find(({ lacksValue }) => lacksValue)?.part,
    missingOption: command.parts.find(
      (part) => part.option !== undefined && part.isNeeded && !options.some((given) => given.part === part)
    ),
    unknownSubcommand: below === undefined && called.subcommands.length > 0 ? first : undefined
  }
}
