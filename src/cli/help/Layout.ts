/** How many characters a line of help has at most. */
export const width = 80

/** Words as lines of at most so many characters; a word that is longer has a line of its own. */
export const wrapped = (text: string, room: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/[ \n]+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}

/** A paragraph behind a margin. */
export const paragraph = (text: string, margin = ""): string =>
  wrapped(text, width - margin.length)
    .map((line) => margin + line)
    .join("\n")

/** Words behind a head that stands out: the further lines begin below the first word. */
export const hanging = (head: string, text: string): string => {
  const margin = " ".repeat(head.length)
  return wrapped(text, width - head.length)
    .map((line, index) => (index === 0 ? head : margin) + line)
    .join("\n")
}

/** A name and what it means. */
export interface Term {
  readonly label: string
  readonly says: string
}

/** The longest label that what it means stands beside. */
const longestLabel = 22

/** Names in a column, and what they mean in another one; below the name where that is long. */
export const terms = (all: ReadonlyArray<Term>): string => {
  const column = Math.min(longestLabel, Math.max(0, ...all.map(({ label }) => label.length)))
  return all
    .flatMap(({ label, says }) =>
      label.length > column
        ? [`  ${label}`, ...(says === "" ? [] : [hanging(" ".repeat(column + 4), says)])]
        : [says === "" ? `  ${label}` : hanging(`  ${label.padEnd(column)}  `, says)]
    )
    .join("\n")
}

/** A heading with what stands below it. */
export const section = (heading: string, body: string): string => `${heading}\n${body}`
