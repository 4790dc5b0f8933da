/** @jsxImportSource preact */
import type { BotMessage } from '../types'
import css from './look.module.css'

export type Paragraph = Extract<BotMessage, { kind: 'text' }>['text'][number]
type Leaf = Paragraph['children'][number]

/**
 * The cells of a line that is a row of a Markdown table; null if it is none. The row of dashes has been removed before.
 */
export function cellsOf({ list, children }: Paragraph): Leaf[][] | null {
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

const trimmed = (cell: readonly Leaf[]): Leaf[] =>
  cell.map((leaf, index) => {
    const text = index === 0 ? leaf.text.trimStart() : leaf.text
    return { ...leaf, text: index === cell.length - 1 ? text.trimEnd() : text }
  })

/** Rows of a table, the first of them its head. */
export function Table({
  rows,
  draw,
}: {
  rows: readonly Leaf[][][]
  draw: (leaf: Leaf, key: number) => preact.JSX.Element
}) {
  const [head = [], ...body] = rows
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div class={css.scroll} tabIndex={0}>
      <table class={css.table}>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells of a message never change
              <th key={index} scope="col">
                {cell.map(draw)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: likewise
            <tr key={index}>
              {head.map((_, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: likewise
                <td key={column}>{row[column]?.map(draw)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
