/** Limits of a spreadsheet's block. */
export const sheetCaps = {
  /** columns that one block sets, and saves */
  columns: 50,
  /** rows that one block reads or changes */
  rows: 1_000,
  /** characters of a cell, which Google sets; a block's own text has fewer */
  cell: 50_000,
  /** characters of a column's name in a block */
  column: 255,
} as const
