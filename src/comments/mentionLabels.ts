/** Unique names of people for a text being written. */
export function mentionLabels(people: readonly { gid: string; name: string }[]): { gid: string; name: string }[] {
  const taken = new Map<string, number>()
  return people.map(({ gid, name }) => {
    const times = (taken.get(name) ?? 0) + 1
    taken.set(name, times)
    return { gid, name: times === 1 ? name : `${name} (${times})` }
  })
}

/** The mention being typed before the caret: the position of its @, and the text after it; null if there is none. */
export function typedMention(text: string, caret: number): { from: number; search: string } | null {
  const match = /(?:^|[^\p{L}\p{N}_])@([^@\n]{0,60})$/u.exec(text.slice(0, caret))
  if (!match) return null
  const search = match[1] ?? ''
  // a name has at most a few words
  return search.split(' ').length > 4 ? null : { from: caret - search.length - 1, search }
}

/** People with a word of their name that starts with the search text, ignoring case. */
export function matchPeople<Person extends { name: string }>(people: readonly Person[], search: string): Person[] {
  const wanted = search.toLocaleLowerCase()
  return people.filter(({ name }) => {
    const lower = name.toLocaleLowerCase()
    return lower.startsWith(wanted) || lower.includes(` ${wanted}`)
  })
}
