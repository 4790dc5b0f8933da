/** The most characters between the brackets of a link or a picture. */
const LONGEST = 1_000

/**
 * Replaces the links of a Markdown text: `[words](address)` on one line. A pattern (`\[([^\]
 * ]{1,1000})\]\([^)
 * ]*\)`) would be quadratic for unclosed parentheses; this is linear.
 */
export const replaceLinks = (markdown: string, replace: (words: string) => string): string =>
  replaceAll(markdown, (words) => (words === '' ? null : replace(words)), false)

/** Replaces its pictures: `![words](address)`. */
export const replacePictures = (markdown: string, replace: (words: string) => string): string =>
  replaceAll(markdown, replace, true)

function replaceAll(markdown: string, replace: (words: string) => string | null, pictures: boolean): string {
  const begin = pictures ? 1 : 0
  const next = nextPlaces(markdown)
  let written = ''
  let from = 0
  /** brackets opened since the start of the line, the last closing one, or the last link */
  let open: number[] = []
  for (const { 0: sign, index: at } of markdown.matchAll(SIGNS)) {
    if (at < from) continue
    if (sign === '[') {
      if (!pictures || (at > from && markdown[at - 1] === '!')) open.push(at)
      continue
    }
    const start = sign === ']' && markdown[at + 1] === '(' ? open.find((place) => at - place - 1 <= LONGEST) : undefined
    open = []
    if (start === undefined) continue
    const end = next(')', at + 2)
    const line = next('\n', at + 2)
    const instead = end < 0 || (line >= 0 && line < end) ? null : replace(markdown.slice(start + 1, at))
    if (instead === null) continue
    written += markdown.slice(from, start - begin) + instead
    from = end + 1
  }
  return written + markdown.slice(from)
}

const SIGNS = /[[\]\n]/g

/**
 * Finds the next position of a character; call it with increasing positions, so that a missing one is searched only
 * once.
 */
function nextPlaces(text: string): (sign: string, from: number) => number {
  const known = new Map<string, number>()
  return (sign, from) => {
    const place = known.get(sign)
    if (place !== undefined && (place < 0 || place >= from)) return place
    const found = text.indexOf(sign, from)
    known.set(sign, found)
    return found
  }
}
