import { markdownTable } from './markdownTable'
import { type LaidOut, laidOut } from './pdfLayout'
import { isBlank, lineText, onOneLine, type PdfItem, type Piece, pieceOf } from './pdfPieces'

export type { PdfItem } from './pdfPieces'

export interface PdfLine {
  text: string
  /** from the page's bottom */
  y: number
  x: number
  /** of the font */
  size: number
  /** whether it has columns, like a table's row */
  columns: boolean
  /** a whole table, or what a form's fields hold: as it is to be, not a line of a paragraph */
  markdown?: string
}

/** Characters of a page's table. */
const MOST_TABLE = 500_000

/** The lines of a page in the document's order; tables by the place of their cells, columns one after another. */
export function pdfLines(items: readonly PdfItem[]): PdfLine[] {
  const lines: (Piece[] | Exclude<LaidOut, Piece>)[] = []
  for (const part of laidOut(items.map(pieceOf).filter(({ str }) => str !== ''))) {
    if ('rows' in part) {
      lines.push(part)
      continue
    }
    const open = lines.at(-1)
    if (Array.isArray(open) && open[0] && onOneLine(open[0], part)) open.push(part)
    else lines.push([part])
  }
  return lines.map((line) => (Array.isArray(line) ? lineOf(line) : tableOf(line))).filter(({ text }) => text !== '')
}

function lineOf(pieces: readonly Piece[]): PdfLine {
  const { gaps, ...line } = lineText(pieces)
  return { ...line, y: pieces.find((piece) => !isBlank(piece))?.y ?? pieces[0]?.y ?? 0, columns: gaps >= 2 }
}

function tableOf({ rows, head, x, y, size }: Exclude<LaidOut, Piece>): PdfLine {
  const markdown = markdownTable(rows, MOST_TABLE, head)
  return { text: rows.flat().join(' ').trim(), markdown, x, y, size, columns: true }
}
