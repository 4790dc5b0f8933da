import { isRightToLeft, plainLetters, reorder } from './rightToLeft'

/** A piece of text on a page. */
export interface PdfItem {
  str: string
  dir: string
  /** scale and rotation, then the distance from the left and from the bottom */
  transform: readonly number[]
  width: number
  height: number
}

export interface PdfLine {
  text: string
  /** from the page's bottom */
  y: number
  x: number
  /** of the font */
  size: number
  /** whether it has columns, like a table's row */
  columns: boolean
}

/** In font sizes: larger gaps separate words, and columns. */
const WORD_GAP = 0.18
const COLUMN_GAP = 1.8
/** Vertical distance within a line, in font sizes: accents, superscripts. */
const SAME_LINE = 0.45

interface Piece {
  str: string
  rtl: boolean
  x: number
  y: number
  width: number
  size: number
}

/** The lines of a page in the document's order; columns one after another. */
export function pdfLines(items: readonly PdfItem[]): PdfLine[] {
  const lines: Piece[][] = []
  for (const item of items) {
    const piece = pieceOf(item)
    if (piece.str === '') continue
    const open = lines.at(-1)
    if (open?.[0] && Math.abs(open[0].y - piece.y) <= SAME_LINE * Math.max(open[0].size, piece.size)) open.push(piece)
    else lines.push([piece])
  }
  return lines.map(lineOf).filter(({ text }) => text !== '')
}

function pieceOf({ str, dir, transform, width, height }: PdfItem): Piece {
  const [, b = 0, , d = 0, x = 0, y = 0] = transform
  return { str, rtl: dir === 'rtl', x, y, width, size: Math.hypot(b, d) || height || 1 }
}

function lineOf(pieces: Piece[]): PdfLine {
  const size = sizeOf(pieces)
  const placed = [...pieces].sort((one, other) => one.x - other.x)
  let drawn = ''
  let end: number | null = null
  let gaps = 0
  for (const { str, rtl, x, width } of placed) {
    const gap: number = end === null ? 0 : x - end
    if (gap > COLUMN_GAP * size) gaps++
    if (gap > WORD_GAP * size && !/\s$/.test(drawn) && !/^\s/.test(str)) drawn += ' '
    // right-to-left pieces are already in reading order
    drawn += rtl ? reorder(str, true) : str
    end = Math.max(end ?? x, x + width)
  }
  const text = plainLetters(reorder(drawn, isRightToLeft(drawn), true))
    .replace(/\s+/g, ' ')
    .trim()
  return { text, y: pieces[0]?.y ?? 0, x: placed[0]?.x ?? 0, size, columns: gaps >= 2 }
}

/** The size of most letters. */
function sizeOf(pieces: readonly Piece[]): number {
  const lengths = new Map<number, number>()
  for (const { str, size } of pieces) {
    const rounded = Math.round(size * 2) / 2
    lengths.set(rounded, (lengths.get(rounded) ?? 0) + str.trim().length)
  }
  return [...lengths].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 1
}
