/** The most characters of a line of help. */
export const width = 80

/** Wraps words into lines of at most `width` characters; a longer word has a line of its own. */
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

/** A paragraph with a margin. */
export const paragraph = (text: string, margin = ""): string =>
  wrapped(text, width - margin.length)
    .map((line) => margin + line)
    .join("\n")

/** A paragraph with a hanging indent: further lines begin below the first word after the head. */
export const hanging = (head: string, text: string): string => {
  const margin = " ".repeat(head.length)
  return wrapped(text, width - head.length)
    .map((line, index) => (index === 0 ? head : margin) + line)
    .join("\n")
}

/** A term and what it means. */
export interface Term {
  readonly label: string
  readonly says: string
}

/** The longest label that has its meaning on the same line. */
const longestLabel = 22

/** Two columns: labels and their meanings; below a label that is too long. */
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

/** A heading and its content. */
export const section = (heading: string, body: string): string => `${heading}\n${body}`
