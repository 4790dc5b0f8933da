const KEPT = 6
const place = (cgid: string) => `parley-recent-${cgid}`

/** Keys of what was chosen last in the palette of a chatbot, the latest first. */
export function readRecent(cgid: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place(cgid)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

export function rememberRecent(cgid: string, key: string): void {
  const latest = key.replace(/^recent /, '')
  const kept = [latest, ...readRecent(cgid).filter((other) => other !== latest)].slice(0, KEPT)
  localStorage.setItem(place(cgid), JSON.stringify(kept))
}
