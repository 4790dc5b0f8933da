const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
const DIGIT = /[\p{Nd}]/u
const LETTER = /\p{L}/u
const ARABIC = /[\u0600-\u07bf\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/u
/** Separators within a number; after Arabic letters a hyphen separates numbers. */
const IN_NUMBER = { arabic: /[.,:/،٫٬]/, other: /[.,:/'’+-]/ }
const BESIDE_NUMBER = /[%‰$€£₪+°]/

type Kind = 'rtl' | 'ltr' | 'digit' | 'neutral'

function kindOf(char: string): Kind {
  if (DIGIT.test(char)) return 'digit'
  if (RTL.test(char)) return 'rtl'
  return LETTER.test(char) ? 'ltr' : 'neutral'
}

/** Whether most letters of a line are written from right to left. */
export function isRightToLeft(text: string): boolean {
  const kinds = [...text].map(kindOf)
  return kinds.filter((kind) => kind === 'rtl').length > kinds.filter((kind) => kind === 'ltr').length
}

/**
 * Converts a line from visual order (left to right on the page) to logical order, or back: the function is its own
 * inverse. PDFs store only glyphs and positions, so right-to-left words come out reversed. Implements the part of the
 * bidirectional algorithm that document lines need: runs of one direction, numbers, and neutrals between them.
 * @param rtl the direction of the line
 * @param mirror whether brackets are mirrored, as they are on a page
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

/** Right-to-left words with what is between them. */
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

/** Replaces presentation forms, which Arabic fonts use, by ordinary letters, each accent after its letter. */
export function plainLetters(text: string): string {
  return text
    .replace(/[\ufb1d-\ufdff\ufe70-\ufefc]+/g, (shapes) => shapes.normalize('NFKC'))
    .replace(/ (?=[\u064b-\u0652\u0670])/g, '')
    .replaceAll('ـ', '')
}
