/** People as they are named in a text that is being written: no two alike, so that each name means one of them. */
export function mentionLabels(people: readonly { gid: string; name: string }[]): { gid: string; name: string }[] {
  const taken = new Map<string, number>()
  return people.map(({ gid, name }) => {
    const times = (taken.get(name) ?? 0) + 1
    taken.set(name, times)
    return { gid, name: times === 1 ? name : `${name} (${times})` }
  })
}

/** The mention that is being typed before the caret: where its @ stands, and what follows; null without one. */
export function typedMention(text: string, caret: number): { from: number; search: string } | null {
  const match = /(?:^|[^\p{L}\p{N}_])@([^@\n]{0,60})$/u.exec(text.slice(0, caret))
  if (!match) return null
  const search = match[1] ?? ''
  // what was meant for a name has at most a few words
  return search.split(' ').length > 4 ? null : { from: caret - search.length - 1, search }
}

/** Those whose names have a word that begins so, the whole search in one case or another. */
export function matchPeople<Person extends { name: string }>(people: readonly Person[], search: string): Person[] {
  const wanted = search.toLocaleLowerCase()
  return people.filter(({ name }) => {
    const lower = name.toLocaleLowerCase()
    return lower.startsWith(wanted) || lower.includes(` ${wanted}`)
  })
}
