import { Context, Effect, Layer } from "effect"
import { printable } from "../kernel/Foreign.ts"

/** Where a command writes. Answers go to stdout; everything that is meant for a person alone goes to stderr. */
export interface OutputService {
  /** Writes a line to stdout. */
  readonly say: (line: string) => Effect.Effect<void>
  /** Writes a line to stderr. */
  readonly warn: (line: string) => Effect.Effect<void>
  /** Replaces the current line of stderr when it is a terminal, and does nothing otherwise. */
  readonly progress: (line: string) => Effect.Effect<void>
  /** True when stdout is a terminal that shows colours. */
  readonly colours: boolean
  /** The width of the terminal in characters; undefined when stdout is not a terminal. */
  readonly width: number | undefined
}

export class Output extends Context.Tag("muster/cli/Output")<Output, OutputService>() {
  /** The streams of this process. A stream that is closed early, as by `head`, ends the process in silence. */
  static readonly layer = Layer.sync(Output, () => {
    for (const stream of [process.stdout, process.stderr]) {
      stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
    }
    const plain = (process.env["NO_COLOR"] ?? "") !== ""
    const write = (stream: NodeJS.WriteStream, text: string) => Effect.sync(() => stream.write(text))
    return Output.of({
      say: (line) => Effect.asVoid(write(process.stdout, `${shown(line)}\n`)),
      warn: (line) => Effect.asVoid(write(process.stderr, `${shown(line)}\n`)),
      progress: (line) =>
        process.stderr.isTTY ? Effect.asVoid(write(process.stderr, `\r\u001b[K${shown(line)}`)) : Effect.void,
      colours: process.stdout.isTTY && !plain,
      width: process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined
    })
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colour = /(\u001b\[\d{1,2}(?:;\d{1,2})*m)/

/**
 * A line as it is printed: colours, and text without control characters. Whoever makes a line has already cleaned
 * foreign text in it; this is a last safeguard, for what a newer server may put into a field that was never foreign.
 */
export const shown = (line: string): string =>
  line
    .split(colour)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join("")
