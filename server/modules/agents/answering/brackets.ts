/**
 * Where brackets of a text close, others of their kind within them counted; what follows a backslash counts as none. The text is read once,
 * however many brackets never close.
 * @returns for the place of each opening bracket the place where it closes; those that don't close are missing
 */
export function closingPlaces(text: string, opens: string, closes: string): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  /** by depth: the brackets that the next closing one of that depth closes; an escaped one opens no depth of its own */
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
