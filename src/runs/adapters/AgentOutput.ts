import type { Line } from "../../kernel/process/Lines.ts"
import type { LineReader } from "./dialects/Dialect.ts"
import type { Fact } from "./facts/Fact.ts"
import { makeTextFacts, redactFact } from "./facts/RedactFact.ts"
import { factOf, output, structured, wholeLines } from "./facts/StructuredLine.ts"

/** What an agent writes, as facts without secrets. It remembers what has to wait for what follows. */
export interface OutputReader {
  readonly read: (lines: ReadonlyArray<Line>) => ReadonlyArray<Fact>
  /** What need not wait any longer, as nothing has come for a while. */
  readonly pause: () => ReadonlyArray<Fact>
  /** What is left when nothing more comes. */
  readonly end: () => ReadonlyArray<Fact>
}

/** The lines in a text; its end, if no line feed stands there, is the beginning of a line that goes on. */
const outputs =
  (stream: "stdout" | "stderr") =>
  (text: string, isLast: boolean): ReadonlyArray<Fact> => {
    const lines = text.split("\n")
    const rest = lines.pop() ?? ""
    return [
      ...lines.map((line) => output(stream, line)),
      ...(rest === "" ? [] : [output(stream, rest, !isLast)])
    ]
  }

const textOf = ({ goesOn, text }: Line): string => (goesOn ? text : `${text}\n`)

/** Reads standard error: all of it is text. */
export const errorReader = (): OutputReader => {
  const text = makeTextFacts(outputs("stderr"))
  return {
    read: (lines) => lines.flatMap((line) => text.push(textOf(line))),
    pause: text.pause,
    end: text.flush
  }
}

/** Reads standard output: structured lines in a dialect or in the protocol of ruling 24, and text between them. */
export const outputReader = (dialect: LineReader | undefined): OutputReader => {
  const isWhole = wholeLines()
  const text = makeTextFacts(outputs("stdout"))
  const deltas = makeTextFacts((said) => [{ kind: "message", payload: { text: said, delta: true } }])

  const isDelta = ({ kind, payload }: Fact): boolean =>
    kind === "message" && payload["delta"] === true && typeof payload["text"] === "string"

  const tell = (fact: Fact): ReadonlyArray<Fact> => {
    if (isDelta(fact)) return [...text.flush(), ...deltas.push(String(fact.payload["text"]))]
    if (fact.kind === "output") return [...deltas.flush(), ...text.push(`${fact.payload["text"]}\n`)]
    return [...text.flush(), ...deltas.flush(), redactFact(fact)]
  }

  const factsOf = (line: Line): ReadonlyArray<Fact> | undefined => {
    if (!isWhole(line)) return undefined
    const found = structured(line.text)
    if (found === undefined) return undefined
    const known = dialect?.read(found)
    if (known !== undefined) return known
    const fact = factOf(found)
    return fact === undefined ? undefined : [fact]
  }

  return {
    read: (lines) =>
      lines.flatMap((line) => {
        const facts = factsOf(line)
        return facts === undefined
          ? [...deltas.flush(), ...text.push(textOf(line))]
          : facts.flatMap((fact) => tell(fact))
      }),
    pause: () => [...text.pause(), ...deltas.pause()],
    end: () => [...text.flush(), ...deltas.flush(), ...(dialect?.end() ?? []).map(redactFact)]
  }
}
