/**
 * Finds matching brackets of a text, ignoring escaped ones. Linear, even if many are never closed.
 * @returns the closing position by opening position; unclosed brackets are missing
 */
export function closingPlaces(text: string, opens: string, closes: string): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  /**
   * by depth: the openings that the next closing bracket of that depth closes; an escaped one does not increase the
   * depth
   */
  const open: number[][] = [[]]
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      if (text[++at] === opens) open.at(-1)?.push(at)
    } else if (text[at] === opens) open.push([at])
    else if (text[at] === closes) {
      for (const place of open.pop() ?? []) places.set(place, at)
      if (open.length === 0) open.push([])
    }
  }
  return places
}
