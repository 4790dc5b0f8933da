/** What a spreadsheet would take for a formula; apostrophes before it are doubled, so that reading takes one away. */
const FORMULA = /^'*[=+\-@\t\r]/
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * A cell of a CSV file. A text that a spreadsheet would calculate begins with an apostrophe: visitors' words must not
 * run in the spreadsheet of who exports them. Negative numbers stay numbers.
 */
export function csvCell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a CSV file, with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Makes spreadsheets read a file as UTF-8; at its beginning. */
export const BYTE_ORDER_MARK = '\uFEFF'
