/** Characters between the brackets of a link or a picture: longer ones are none. */
const LONGEST = 1_000

/**
 * A Markdown text with something else in the place of its links: `[words](address)` in one line. As a pattern
 * (`\[([^\]\n]{1,1000})\]\([^)\n]*\)`) it would take time by the square of the text's length where parentheses never close; this reads the
 * text once.
 */
export const replaceLinks = (markdown: string, replace: (words: string) => string): string =>
  replaceAll(markdown, (words) => (words === '' ? null : replace(words)), false)

/** Likewise in the place of its pictures: `![words](address)`. */
export const replacePictures = (markdown: string, replace: (words: string) => string): string =>
  replaceAll(markdown, replace, true)

function replaceAll(markdown: string, replace: (words: string) => string | null, pictures: boolean): string {
  const begin = pictures ? 1 : 0
  const next = nextPlaces(markdown)
  let written = ''
  let from = 0
  /** brackets that were opened since the line began, one was closed or a link ended */
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

/** Where a sign comes next, asked for places in their order: one that never comes is looked for once. */
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
