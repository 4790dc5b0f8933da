const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
const DIGIT = /[\p{Nd}]/u
const LETTER = /\p{L}/u
/** What may stand within a number, so that it stays one. */
const IN_NUMBER = /[.,:/٫٬'’-]/
const BESIDE_NUMBER = /[%‰٪$€£₪+°]/
const MARK = /\p{M}/u

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
 */
export function reorder(text: string, rtl: boolean): string {
  const chars = [...text]
  const kinds = chars.map(kindOf)
  const other = rtl ? leftToRightRuns(chars, kinds) : rightToLeftRuns(kinds)
  const order: string[] = []
  let at = 0
  for (const [from, to] of other) {
    order.push(...chars.slice(at, from))
    order.push(...(rtl ? chars.slice(from, to).reverse() : backwards(chars.slice(from, to))))
    at = to
  }
  order.push(...chars.slice(at))
  return (rtl ? order.reverse().map(mirror) : order).join('')
}

/** A run of words from right to left, in which numbers keep their order. */
const backwards = (chars: string[]): string[] => [...reorder(chars.join(''), true)]

/** Words in Latin letters with what is between them, and numbers. */
function leftToRightRuns(chars: readonly string[], kinds: readonly Kind[]): [number, number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] !== 'ltr' && kinds[at] !== 'digit') continue
    let word = kinds[at] === 'ltr'
    let end = at + 1
    for (let next = end; next < kinds.length && kinds[next] !== 'rtl'; next++) {
      if (kinds[next] === 'ltr') {
        word = true
        end = next + 1
      } else if (kinds[next] === 'digit') {
        if (word || chars.slice(end, next).every((char) => IN_NUMBER.test(char))) end = next + 1
        else break
      } else if (next === end && BESIDE_NUMBER.test(chars[next] ?? '') && kinds[next - 1] === 'digit') end = next + 1
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

const pairs = '()[]{}<>«»'
/** Brackets are drawn by their counterparts in a line from right to left. */
const mirror = (char: string): string => {
  const at = pairs.indexOf(char)
  return at < 0 ? char : (pairs[at ^ 1] ?? char)
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

/** Whether nothing is drawn but an accent over the letter before. */
export const isMark = (text: string): boolean => text.trim() !== '' && [...text.trim()].every((char) => MARK.test(char))
