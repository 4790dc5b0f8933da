const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
const DIGIT = /[\p{Nd}]/u
const LETTER = /\p{L}/u
const ARABIC = /[\u0600-\u07bf\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/u
/** What one of may stand within a number, so that it stays one; after Arabic letters a hyphen parts numbers. */
const IN_NUMBER = { arabic: /[.,:/،٫٬]/, other: /[.,:/'’+-]/ }
const BESIDE_NUMBER = /[%‰$€£₪+°]/

type Kind = 'rtl' | 'ltr' | 'digit' | 'neutral'

function kindOf(char: string): Kind {
  if (DIGIT.test(char)) return 'digit'
  if (RTL.test(char)) return 'rtl'
  return LETTER.test(char) ? 'ltr' : 'neutral'
}

/** Whether a line is written from right to left: most of its letters are. */
export function isRightToLeft(text: string): boolean {
  const kinds = [...text].map(kindOf)
  return kinds.filter((kind) => kind === 'rtl').length > kinds.filter((kind) => kind === 'ltr').length
}

/**
 * The order in which a line is read, from the order in which it stands on the page from left to right; and the other way round, since it
 * undoes itself. A PDF knows letters and places alone, so words from right to left come out backwards and in the wrong order. This is as
 * much of the bidirectional algorithm as lines of a document need: runs of one direction, numbers, and what stands between them.
 * @param rtl the direction of the line
 * @param mirror whether brackets are drawn by their counterparts, as they are on a page
 */
export function reorder(text: string, rtl: boolean, mirror = false): string {
  const chars = [...text]
  const kinds = chars.map(kindOf)
  const runs = rtl ? leftToRightRuns(chars, kinds, ARABIC.test(text)) : rightToLeftRuns(kinds)
  const order: string[] = []
  let at = 0
  const add = (more: readonly string[]) => {
    for (const char of more) order.push(char)
  }
  const between = (end: number) => chars.slice(at, end).map((char) => (rtl && mirror ? mirrored(char) : char))
  for (const [from, to] of runs) {
    const run = chars.slice(from, to)
    add(between(from))
    add(rtl ? run.reverse() : [...reorder(run.join(''), true, mirror)])
    at = to
  }
  add(between(chars.length))
  return (rtl ? order.reverse() : order).join('')
}

/** Words in Latin letters with what is between them, and numbers. */
function leftToRightRuns(chars: readonly string[], kinds: readonly Kind[], arabic: boolean): [number, number][] {
  const inNumber = arabic ? IN_NUMBER.arabic : IN_NUMBER.other
  const runs: [number, number][] = []
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] !== 'ltr' && kinds[at] !== 'digit') continue
    let word = kinds[at] === 'ltr'
    let end = at + 1
    for (let next = end; next < kinds.length && kinds[next] !== 'rtl'; next++) {
      const kind = kinds[next]
      const apart = next - end
      if (kind === 'ltr' || kind === 'digit') {
        const joins = word || apart === 0 || (kind === 'digit' && apart === 1 && inNumber.test(chars[end] ?? ''))
        if (!joins) break
        word ||= kind === 'ltr'
        end = next + 1
      } else if (!arabic && apart === 0 && kinds[next - 1] === 'digit' && BESIDE_NUMBER.test(chars[next] ?? '')) {
        end = next + 1
      }
    }
    runs.push([at, end])
    at = end - 1
  }
  return runs
}

/** Words from right to left with what is between them. */
function rightToLeftRuns(kinds: readonly Kind[]): [number, number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] !== 'rtl') continue
    let end = at + 1
    for (let next = end; next < kinds.length && kinds[next] !== 'ltr'; next++) if (kinds[next] === 'rtl') end = next + 1
    runs.push([at, end])
    at = end - 1
  }
  return runs
}

const BRACKETS = '()[]{}<>«»'

function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»]/g, (bracket) => BRACKETS[BRACKETS.indexOf(bracket) ^ 1] ?? bracket)
}

/**
 * Letters as they are typed instead of the shapes that they are drawn in, each accent at its letter: what fonts for Arabic give.
 */
export function plainLetters(text: string): string {
  return text
    .replace(/[\ufb1d-\ufdff\ufe70-\ufefc]+/g, (shapes) => shapes.normalize('NFKC'))
    .replace(/ (?=[\u064b-\u0652\u0670])/g, '')
    .replaceAll('ـ', '')
}
