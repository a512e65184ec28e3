/** Styles for words in a terminal. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

const wrapped = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`
const same = (text: string) => text

/** Colours for a terminal, plain text for everything else. */
export const paint = (colours: boolean): Paint =>
  colours
    ? {
        bold: wrapped(1, 22),
        dim: wrapped(2, 22),
        red: wrapped(31, 39),
        green: wrapped(32, 39),
        yellow: wrapped(33, 39),
        cyan: wrapped(36, 39)
      }
    : { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }
