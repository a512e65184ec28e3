/** An event, as far as its place in a channel and a thread is told by it. */
interface Event {
  readonly id: string
  readonly tags: ReadonlyArray<ReadonlyArray<string>>
}

/** The first value of a tag. */
export const tagValue = (event: Event, name: string): string | undefined =>
  event.tags.find(([tag]) => tag === name)?.[1]

/** All tags of a name. */
export const tagsNamed = (event: Event, name: string): ReadonlyArray<ReadonlyArray<string>> =>
  event.tags.filter(([tag]) => tag === name)

const marked = (event: Event, marker: string): string | undefined =>
  event.tags.find((tag) => tag[0] === "e" && tag[3] === marker)?.[1]

/** What an event replies to. Only the marker `reply` makes a thread; a lone `root` or a bare `e` does not. */
export const parentOf = (event: Event): string | undefined => marked(event, "reply")

/** The root of the thread that an event stands in: itself when it replies to nothing. */
export const rootOf = (event: Event): string => {
  const parent = parentOf(event)
  return parent === undefined ? event.id : (marked(event, "root") ?? parent)
}
