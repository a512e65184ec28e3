import { Schema } from "effect"
import type { Described } from "./CommandDescription.ts"

/** The shells that a script can be made for. */
export const Shell = Schema.Literal("bash", "zsh", "fish")

const optionsOf = ({ parts }: Described): ReadonlyArray<string> => [
  ...parts.flatMap(({ option }) => option ?? []),
  "--help"
]

const nameOf = ({ path }: Described): string => path.at(-1) ?? ""

/** What can follow a command: its subcommands and options. */
const wordsOf = (command: Described): string =>
  [...command.subcommands.map(nameOf), ...optionsOf(command)].join(" ")

/** A function of bash that looks at the first two words; zsh understands it too. */
const bash = (commands: ReadonlyArray<Described>): string => {
  const below = commands.flatMap((command) =>
    command.subcommands.map((one) => `    *:"${one.path.join(" ")}") words="${optionsOf(one).join(" ")}" ;;`)
  )
  return [
    "_muster() {",
    "  local words",
    `  case "$COMP_CWORD:\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in`,
    `    1:*) words="${[...commands.map(nameOf), "--help", "--version"].join(" ")}" ;;`,
    ...below,
    ...commands.map((command) => `    *:"${nameOf(command)} "*) words="${wordsOf(command)}" ;;`),
    "  esac",
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    "complete -o default -F _muster muster"
  ].join("\n")
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const fishOptions = (condition: string, command: Described): ReadonlyArray<string> =>
  command.options.map(({ label, says }) => {
    const [name = "", value] = label.split(" ")
    return `complete -c muster -n ${quoted(condition)} -l ${name.slice(2)}${value === undefined ? "" : " -r"} -d ${quoted(says)}`
  })

const fish = (commands: ReadonlyArray<Described>): string =>
  commands
    .flatMap((command) => {
      const name = nameOf(command)
      const names = command.subcommands.map(nameOf).join(" ")
      const seen = `__fish_seen_subcommand_from ${name}`
      return [
        `complete -c muster -n __fish_use_subcommand -a ${name} -d ${quoted(command.says)}`,
        ...fishOptions(seen, command),
        ...command.subcommands.flatMap((one) => [
          `complete -c muster -n ${quoted(`${seen}; and not __fish_seen_subcommand_from ${names}`)} -a ${nameOf(one)} -d ${quoted(one.says)}`,
          ...fishOptions(`${seen}; and __fish_seen_subcommand_from ${nameOf(one)}`, one)
        ])
      ]
    })
    .join("\n")

/** A script that lets a shell complete commands and options. */
export const script = (shell: typeof Shell.Type, commands: ReadonlyArray<Described>): string => {
  switch (shell) {
    case "bash":
      return bash(commands)
    case "zsh":
      return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
    case "fish":
      return fish(commands)
  }
}
