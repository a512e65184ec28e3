/** The bounds of definitions (relay-wire, Numeric bounds). Texts are counted in characters. */
export const limits = {
  /** How many events a list reads at the most, how many a page asks for, and how few when pages are too large. */
  events: 1_000,
  page: 200,
  smallestPage: 4,
  /** How many pages are asked for at the most, those that turn out too large among them. */
  requests: 40,
  /** How many links one question to the relay is about. */
  links: 50,
  tags: 50,
  tagItems: 10,
  tagItem: 2_048,
  contentBytes: 65_536,
  depth: 10,
  keys: 200,
  items: 200,
  text: 20_000,
  /** How many rejected fields are named. */
  rejected: 50,
  personaName: 120,
  prompt: 10_000,
  url: 2_000,
  preference: 120,
  namePool: 50,
  teamName: 160,
  description: 2_000,
  personas: 100
} as const
