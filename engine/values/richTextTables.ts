/** A line of rich text, as far as a table is read from it. */
interface Line<Leaf> {
  list?: unknown
  children: readonly Leaf[]
}

/**
 * The cells of a line that is a row of a Markdown table; null if it is none. The row of dashes has been removed before.
 */
function cellsOf<Leaf extends { text: string }>({ list, children }: Line<Leaf>): Leaf[][] | null {
  if (list) return null
  const line = children
    .map(({ text }) => text)
    .join('')
    .trim()
  if (line.length < 3 || !line.startsWith('|') || !line.endsWith('|')) return null
  const cells: Leaf[][] = [[]]
  for (const leaf of children) {
    leaf.text.split('|').forEach((text, index) => {
      if (index > 0) cells.push([])
      if (text.trim() !== '') cells.at(-1)?.push({ ...leaf, text })
    })
  }
  // what stands before the first bar and after the last one is no cell
  return cells.slice(1, -1).map(trimmed)
}

const trimmed = <Leaf extends { text: string }>(cell: readonly Leaf[]): Leaf[] =>
  cell.map((leaf, index) => {
    const text = index === 0 ? leaf.text.trimStart() : leaf.text
    return { ...leaf, text: index === cell.length - 1 ? text.trimEnd() : text }
  })

/** Lines of a text, or rows of a table in it, the first of them its head. */
export type TextPart<Paragraph, Leaf> = { lines: Paragraph[] } | { rows: Leaf[][][] }

/**
 * A text as lines and tables: models' tables are kept as lines, so that channels without tables say the same words. Two
 * rows in a row are a table; all else are lines. One rule for the chat and for the inbox.
 */
export function splitTables<Leaf extends { text: string }, Paragraph extends Line<Leaf>>(
  text: readonly (Paragraph & Line<Leaf>)[],
): TextPart<Paragraph, Leaf>[] {
  const parts: TextPart<Paragraph, Leaf>[] = []
  const rows = text.map((paragraph) => cellsOf(paragraph))
  text.forEach((paragraph, index) => {
    const cells = rows[index] ?? null
    const isRow = cells !== null && Boolean(rows[index - 1] || rows[index + 1])
    const last = parts.at(-1)
    if (isRow) {
      if (last && 'rows' in last) last.rows.push(cells)
      else parts.push({ rows: [cells] })
    } else if (last && 'lines' in last) last.lines.push(paragraph)
    else parts.push({ lines: [paragraph] })
  })
  return parts
}
