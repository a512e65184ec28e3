// A hundred thousand documents of sixty words each, from a vocabulary of five thousand, common words more often.
let state = 1
const random = () => {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}
const word = () => `w${String(Math.floor(5_000 * random() ** 2)).padStart(4, "0")}`
const words = (count) => Array.from({ length: count }, word).join(" ")

export const corpus = function* (count) {
  for (let index = 0; index < count; index++) {
    yield { id: `doc_${index}`, title: words(5), text: words(55) }
  }
}
