import { readFileSync } from "node:fs"

/** A command of a page, and what the page says that it prints. */
export interface Step {
  /** The line of the page that it stands on. */
  readonly line: number
  readonly command: string
  readonly printed: string
}

const fence = /^```(\S*)$/

/** Does a command go on in the next line? It does behind a backslash, inside quotes, and until the text of `<<` ends. */
const isOpen = (command: string): boolean => {
  if (command.endsWith("\\")) return true
  const [, word] = /<<'(\w+)'/.exec(command) ?? []
  if (word !== undefined) return !command.endsWith(`\n${word}`)
  let quote: string | undefined
  for (let index = 0; index < command.length; index++) {
    const letter = command[index]
    if (letter === "\\" && quote !== "'") index++
    else if (quote === undefined && (letter === "'" || letter === '"')) quote = letter
    else if (letter === quote) quote = undefined
  }
  return quote !== undefined
}

/**
 * The commands of a page: what stands behind `$ ` in its blocks that name no language, with the lines below it as what
 * it prints. `^C` stops the server. In JSON a line that begins with one blank goes on with the line above it.
 */
export const stepsOf = (file: string): ReadonlyArray<Step> => {
  const steps: Array<{ line: number; command: string; printed: Array<string> }> = []
  let language: string | undefined
  for (const [index, text] of readFileSync(file, "utf8").split("\n").entries()) {
    const [marker, named = ""] = fence.exec(text) ?? []
    if (marker !== undefined) {
      language = language === undefined ? named : undefined
      continue
    }
    if (language !== "") continue
    const last = steps.at(-1)
    if (text === "^C") steps.push({ line: index + 1, command: text, printed: [] })
    else if (last !== undefined && last.printed.length === 0 && isOpen(last.command)) {
      last.command += `\n${text}`
    } else if (text.startsWith("$ ")) {
      steps.push({ line: index + 1, command: text.slice(2), printed: [] })
    } else if (last === undefined)
      throw new Error(`${file}:${index + 1} prints, and no command stands above it`)
    else if (/^ \S/.test(text) && last.printed[0]?.startsWith("{") === true) {
      last.printed.push(`${last.printed.pop()}${text.slice(1)}`)
    } else last.printed.push(text)
  }
  return steps.map(({ printed, ...step }) => ({ ...step, printed: printed.join("\n").trim() }))
}
