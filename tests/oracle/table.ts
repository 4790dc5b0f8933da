import { appendFileSync } from 'node:fs'
import type { ImportReport } from '../../engine/interop/importer'

/**
 * Adds a file's row to a table for people to read: how many of its walks are equal, and why the others are not. Written where `ORACLE` names a
 * file: `ORACLE=oracle.md npx vitest run --project node tests/oracle`.
 */
export function addRow(
  product: string,
  name: string,
  { equal, walks, why }: { equal: number; walks: number; why: readonly string[] },
): void {
  if (!process.env.ORACLE) return
  const cells = [product, name, `${equal} of ${walks}`, why.join('; ').replaceAll('|', '\\|') || '-']
  appendFileSync(process.env.ORACLE, `| ${cells.join(' | ')} |\n`)
}

/** The nodes that nothing here can stand for, which give nothing on both sides of a walk. */
export const keptAs = ({ placeholders }: ImportReport): string[] =>
  placeholders.map(({ type, count, reason }) => `${count} × ${type} kept: ${reason}`)
