/** Columns of a table that are kept. */
const MOST_COLUMNS = 100

/**
 * Rows as a Markdown table whose first row names the columns. Empty rows and columns are left out.
 * @param most characters after which rows are left out. @returns an empty text for no rows
 */
export function markdownTable(rows: readonly (readonly string[])[], most: number): string {
  const cells = rows.map((row) => row.slice(0, MOST_COLUMNS).map(cellText)).filter((row) => row.some(Boolean))
  const columns = Math.max(0, ...cells.map((row) => row.length))
  const used = Array.from({ length: columns }, (_, at) => at).filter((at) => cells.some((row) => row[at]))
  const [head, ...body] = cells.map((row) => `| ${used.map((at) => row[at] ?? '').join(' | ')} |`)
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
