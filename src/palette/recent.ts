const KEPT = 6
const place = (owner: string) => `parley-recent-${owner}`

/** Keys of recent choices in a palette, latest first. `owner`: the chatbot of the builder, otherwise the account. */
export function readRecent(owner: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place(owner)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

export function rememberRecent(owner: string, key: string): void {
  const latest = key.replace(/^recent /, '')
  const kept = [latest, ...readRecent(owner).filter((other) => other !== latest)].slice(0, KEPT)
  localStorage.setItem(place(owner), JSON.stringify(kept))
}
