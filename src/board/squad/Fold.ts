/**
 * Text without the difference of capital and small letters, for comparing. It has the length of the original, so a
 * place in one is the same place in the other; a capital whose small form is longer stays as it is.
 */
export const fold = (text: string): string =>
  text.replace(/\p{Lu}/gu, (capital) => {
    const small = capital.toLowerCase()
    return small.length === capital.length ? small : capital
  })
