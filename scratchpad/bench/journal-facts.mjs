/** What a build says: lines of a kilobyte, none like the other. */
const lineOf = (number) =>
  Array.from(
    { length: 11 },
    (_, part) =>
      `[12:0${part % 10}:${number % 60}] INFO building module src/area${number}/file${part}.ts in ${part * 7} ms, cached=true; `
  )
    .join("")
    .slice(0, 960)

export const factOf = (number) => ({ kind: "output", payload: { stream: "stdout", text: lineOf(number) } })
