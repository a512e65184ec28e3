import { stripVTControlCharacters } from "node:util"
import * as CliConfig from "@effect/cli/CliConfig"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import type { Usage } from "@effect/cli/Usage"
import { HashMap, Option } from "effect"
import type { Term } from "./Layout.ts"

/** A part of a command line as it is typed. */
export interface Part {
  readonly text: string
  /** The name of an option, with its dashes; undefined for an argument. */
  readonly option: string | undefined
  readonly takesValue: boolean
  readonly isNeeded: boolean
}

/** The description of a command. */
export interface Described {
  /** The words that call it, without `muster`. */
  readonly path: ReadonlyArray<string>
  readonly says: string
  readonly parts: ReadonlyArray<Part>
  readonly arguments: ReadonlyArray<Term>
  readonly options: ReadonlyArray<Term>
  readonly subcommands: ReadonlyArray<Described>
}

const config = CliConfig.make({ showBuiltIns: false })

/** A help document of the parser as one line without colours. */
export const lineOf = (doc: HelpDoc.HelpDoc): string =>
  stripVTControlCharacters(HelpDoc.toAnsiText(doc)).replace(/\s+/g, " ").trim()

const flat = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> =>
  HelpDoc.isSequence(doc) ? [...flat(doc.left), ...flat(doc.right)] : HelpDoc.isEmpty(doc) ? [] : [doc]

/**
 * The description of an option or an argument. The parser puts the kind of value before it, and behind it whether it
 * may be left out or repeated; both are cut off, as the usage shows them.
 */
const saidOf = (doc: HelpDoc.HelpDoc): string => {
  const [, said] = flat(doc)
  return said === undefined ? "" : lineOf(said)
}

/** The sections of a document by their headings. */
const sectionsOf = (doc: HelpDoc.HelpDoc): ReadonlyMap<string, ReadonlyArray<HelpDoc.HelpDoc>> => {
  const found = new Map<string, Array<HelpDoc.HelpDoc>>()
  let current: Array<HelpDoc.HelpDoc> = []
  for (const part of flat(doc)) {
    if (HelpDoc.isHeader(part)) {
      current = []
      found.set(lineOf(HelpDoc.p(part.value)), current)
    } else current.push(part)
  }
  return found
}

const termsOf = (docs: ReadonlyArray<HelpDoc.HelpDoc> = []): ReadonlyArray<Term> =>
  docs.flatMap((doc) =>
    HelpDoc.isDescriptionList(doc)
      ? doc.definitions.map(([name, said]) => ({
          label: lineOf(HelpDoc.p(name)).replace(/\.\.\.$/, ""),
          says: saidOf(said)
        }))
      : []
  )

/** The parts of a command line; a repeated option may be left out. */
const partsOf = (usage: Usage): ReadonlyArray<Part> => {
  switch (usage._tag) {
    case "Empty":
    case "Mixed":
      return []
    case "Named": {
      const name = usage.names.find((one) => one.startsWith("--")) ?? usage.names[0] ?? ""
      const value = Option.getOrUndefined(usage.acceptedValues)
      const option = name.startsWith("-") ? name : undefined
      const text = option === undefined || value === undefined ? name : `${name} ${value}`
      return [{ text, option, takesValue: value !== undefined, isNeeded: true }]
    }
    case "Optional":
      return partsOf(usage.usage).map((part) => ({ ...part, text: `[${part.text}]`, isNeeded: false }))
    case "Repeated":
      return partsOf(usage.usage).map((part) => ({
        ...part,
        text: part.option === undefined ? `${part.text}...` : `[${part.text}]...`,
        isNeeded: part.option === undefined
      }))
    case "Alternation":
    case "Concat":
      return [...partsOf(usage.left), ...partsOf(usage.right)]
  }
}

/** Describes a command of the parser. */
export const describe = (
  path: ReadonlyArray<string>,
  descriptor: CommandDescriptor.Command<unknown>
): Described => {
  const sections = sectionsOf(CommandDescriptor.getHelp(descriptor, config))
  const [, ...parts] = partsOf(CommandDescriptor.getUsage(descriptor))
  const subcommands = [...HashMap.entries(CommandDescriptor.getSubcommands(descriptor))]
  return {
    path,
    says: (sections.get("DESCRIPTION") ?? []).map(lineOf).join(" "),
    parts,
    arguments: termsOf(sections.get("ARGUMENTS")),
    options: termsOf(sections.get("OPTIONS")),
    subcommands: subcommands
      .filter(([name]) => name !== path.at(-1))
      .map(([name, command]) => describe([...path, name], command))
      .sort((one, other) => (one.path.join(" ") < other.path.join(" ") ? -1 : 1))
  }
}
