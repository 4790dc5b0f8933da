/**
 * A text in parts of at most `most` characters, cut after a paragraph, else after a sentence, else after a word.
 * @param text of any length; the work grows with it linearly
 * @returns at least one part, none of them empty, unless the text is
 */
export function splitText(text: string, most: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > most) {
    const at = placeToCut(rest.slice(0, most + 1), most)
    parts.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  if (rest !== '' || parts.length === 0) parts.push(rest)
  return parts
}

const ENDS: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…。！？](?=\s)|[。！？]/g, /\s/g]

/** A cut before the half of what fits would make a torn message: a weaker place further on is better. */
function placeToCut(window: string, most: number): number {
  for (const end of ENDS) {
    const last = [...window.matchAll(end)].at(-1)
    const at = last ? last.index + last[0].length : 0
    if (at > most / 2 && at <= most) return at
  }
  // not between the halves of a character
  return /[\uD800-\uDBFF]/.test(window[most - 1] ?? '') ? most - 1 : most
}
