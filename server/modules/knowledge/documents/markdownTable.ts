/** Columns of a table that are kept. */
const MOST_COLUMNS = 100

/**
 * Rows as a Markdown table whose first row names the columns. Empty rows and columns are left out.
 * @param most characters after which rows are left out
 * @param named whether the first row does name the columns; else they have no names. @returns an empty text for no rows
 */
export function markdownTable(rows: readonly (readonly string[])[], most: number, named = true): string {
  const cells = rows.map((row) => row.slice(0, MOST_COLUMNS).map(cellText)).filter((row) => row.some(Boolean))
  const columns = cells.reduce((widest, row) => Math.max(widest, row.length), 0)
  const used = Array.from({ length: columns }, (_, at) => at).filter((at) => cells.some((row) => row[at]))
  const lineOf = (row: readonly string[]) => `| ${used.map((at) => row[at] ?? '').join(' | ')} |`
  const unnamed = named || cells.length === 0 ? [] : [[]]
  const [head, ...body] = [...unnamed, ...cells].map(lineOf)
  if (head === undefined) return ''
  const lines = [head, `|${' --- |'.repeat(used.length)}`]
  let left = most - head.length
  for (const line of body) {
    left -= line.length + 1
    if (left < 0) break
    lines.push(line)
  }
  return lines.join('\n')
}

const cellText = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
