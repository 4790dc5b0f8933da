/** @jsxImportSource preact */
import type { BotMessage } from '../types'
import css from './look.module.css'

type Leaf = Extract<BotMessage, { kind: 'text' }>['text'][number]['children'][number]

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
