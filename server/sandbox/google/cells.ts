/** A cell's value; a formula keeps its text, and shows an error, since the stand-in computes nothing. */
export type Cell = string | number | boolean | { formula: string } | null

/** What a cell that would be computed shows. */
const UNCOMPUTED = '#NAME?'

/** The most characters of a cell. */
export const CELL_LIMIT = 50_000

export type Render = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA'

/** @returns a cell as the values calls show it */
export function renderCell(cell: Cell, render: Render): string | number | boolean {
  if (cell === null) return ''
  if (typeof cell === 'object') return render === 'FORMULA' ? cell.formula : UNCOMPUTED
  if (render !== 'FORMATTED_VALUE') return cell
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell)
}

/**
 * @returns what a value becomes in a cell: RAW keeps it as it is; USER_ENTERED reads it as if a person had typed it
 * (numbers, booleans and formulas; no dates)
 */
export function enterCell(value: unknown, option: string): Cell {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (option !== 'USER_ENTERED') return text
  if (text.startsWith('=') || text.startsWith('+')) return { formula: text.startsWith('=') ? text : `=${text}` }
  if (text.startsWith("'")) return text.slice(1)
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

/** A cell as `batchUpdate` and grid data write it. */
export interface ExtendedValue {
  stringValue?: string
  numberValue?: number
  boolValue?: boolean
  formulaValue?: string
}

export function fromExtended(value: ExtendedValue | undefined): Cell {
  if (value === undefined) return null
  if (value.formulaValue !== undefined) return { formula: value.formulaValue }
  const plain = value.stringValue ?? value.numberValue ?? value.boolValue ?? null
  return plain === '' ? null : plain
}

export function toExtended(cell: Cell): ExtendedValue | undefined {
  if (cell === null) return undefined
  if (typeof cell === 'object') return { formulaValue: cell.formula }
  if (typeof cell === 'string') return { stringValue: cell }
  return typeof cell === 'number' ? { numberValue: cell } : { boolValue: cell }
}
