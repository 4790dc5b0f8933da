import { isRightToLeft, plainLetters, reorder } from './rightToLeft'

/** A piece of text on a page, as pdf.js gives it. */
export interface PdfItem {
  str: string
  dir: string
  /** scale and rotation, then the distance from the left and from the bottom */
  transform: readonly number[]
  width: number
  height: number
  fontName?: string
}

export interface Piece {
  str: string
  rtl: boolean
  x: number
  y: number
  width: number
  size: number
  font: string
}

/** In font sizes: larger gaps separate words, and columns. */
const WORD_GAP = 0.18
const COLUMN_GAP = 1.8
/** Vertical distance within a line, in font sizes: accents, superscripts. */
const SAME_LINE = 0.45
/** A number so much smaller than its line and above it, in font sizes, is a footnote's mark. */
const MARK_SIZE = 0.87
const MARK_RISE = 0.15

export function pieceOf({ str, dir, transform, width, height, fontName = '' }: PdfItem): Piece {
  const [, b = 0, , d = 0, x = 0, y = 0] = transform
  return { str, rtl: dir === 'rtl', x, y, width, size: Math.hypot(b, d) || height || 1, font: fontName }
}

export const isBlank = ({ str }: Piece): boolean => str.trim() === ''
export const onOneLine = (one: Piece, other: Piece): boolean =>
  Math.abs(one.y - other.y) <= SAME_LINE * Math.max(one.size, other.size)

export interface LineText {
  text: string
  /** the first piece from the left */
  x: number
  size: number
  /** wide gaps in it */
  gaps: number
}

/** Pieces of one line as text in reading order. */
export function lineText(pieces: readonly Piece[]): LineText {
  const size = sizeOf(pieces)
  const base = baseline(pieces, size)
  const placed = [...pieces].sort((one, other) => one.x - other.x)
  let drawn = ''
  let last = ''
  let end: number | null = null
  let gaps = 0
  for (const piece of placed) {
    const { str, rtl, x, width } = piece
    const gap: number = end === null ? 0 : x - end
    if (gap > COLUMN_GAP * size) gaps++
    if (gap > WORD_GAP * size && !SPACE.test(last) && !SPACE.test(str[0] ?? '')) drawn += ' '
    const mark = piece.size <= MARK_SIZE * size && piece.y - base >= MARK_RISE * size && markOf(str, last)
    // right-to-left pieces are already in reading order
    drawn += mark || (rtl ? reorder(str, true) : str)
    last = str.at(-1) ?? last
    end = Math.max(end ?? x, x + width)
  }
  const text = plainLetters(reorder(drawn, isRightToLeft(drawn), true))
    .replace(/\s+/g, ' ')
    .trim()
  return { text, x: placed[0]?.x ?? 0, size, gaps }
}

const SPACE = /\s/
const FOOTNOTE = /^\d{1,3}$/

/** A raised number: of a footnote, so that it is not taken for a part of the number or word before it; m² stays one. */
function markOf(str: string, before: string): string | null {
  const number = str.trim()
  if (!FOOTNOTE.test(number)) return null
  if (before === 'm' && (number === '2' || number === '3')) return number === '2' ? '²' : '³'
  return `[${number}]`
}

/** Where most letters stand. */
function baseline(pieces: readonly Piece[], size: number): number {
  const usual = pieces.find((piece) => Math.abs(piece.size - size) <= 0.25 && !isBlank(piece))
  return usual?.y ?? pieces[0]?.y ?? 0
}

/** The size of most letters. */
export function sizeOf(pieces: readonly Piece[]): number {
  const lengths = new Map<number, number>()
  for (const { str, size } of pieces) {
    const rounded = Math.round(size * 2) / 2
    lengths.set(rounded, (lengths.get(rounded) ?? 0) + str.trim().length)
  }
  return mostOf(lengths) ?? 1
}

/** The key with the largest number. */
export function mostOf<Key>(counts: ReadonlyMap<Key, number>): Key | undefined {
  let best: [Key, number] | undefined
  for (const entry of counts) if (!best || entry[1] > best[1]) best = entry
  return best?.[0]
}
