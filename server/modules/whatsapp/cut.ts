/** A text of at most that many characters, counted as WhatsApp counts, and never cut between the halves of one. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
