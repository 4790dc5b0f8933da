import { createContext, Fragment, type ReactNode, use, useMemo } from 'react'
import { type NestedList, nestLists } from '../../../engine/values/richTextLists'
import type { TextLeaf } from '../model'
import { type MarkdownBlock, readMarkdown } from './markdown'
import styles from './markdown.module.css'

/** Renders a citation such as [1]; null: keep it as text. */
type Cite = (number: number) => ReactNode
const CiteContext = createContext<Cite>(() => null)

/**
 * Read-only Markdown: headings, lists, tables, links; nothing is executed and no image is loaded.
 * @param cite renders citations, if the text is an answer
 */
export function MarkdownView({ markdown, cite }: { markdown: string; cite?: Cite }) {
  const blocks = useMemo(() => nestLists(withTables(readMarkdown(markdown))), [markdown])
  const view = <div className={styles.view}>{blocks.map((block, at) => keyed(block, at))}</div>
  return cite ? <CiteContext value={cite}>{view}</CiteContext> : view
}

/** A block, or the rows of a table. */
type Shown = MarkdownBlock | { list?: undefined; rows: MarkdownBlock[] }

/** Parts of a text have no ids, so their indexes are keys. */
function keyed(block: Shown | NestedList<Shown>, key: number): ReactNode {
  if ('kind' in block) return <List key={key} list={block} />
  if ('rows' in block) return <Table key={key} rows={block.rows} />
  const content = <Inlines leaves={block.children} />
  if (block.heading)
    return (
      <p key={key} className={styles.heading} data-heading={block.heading}>
        {content}
      </p>
    )
  return <p key={key}>{content}</p>
}

function List({ list: { kind, items } }: { list: NestedList<Shown> }) {
  const content = items.map(({ content, lists }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <li key={at}>
      {'children' in content && <Inlines leaves={content.children} />}
      {lists.map((inner, place) => keyed(inner, place))}
    </li>
  ))
  return kind === 'number' ? <ol>{content}</ol> : <ul>{content}</ul>
}

function Inlines({ leaves }: { leaves: readonly TextLeaf[] }) {
  return leaves.map(({ text, bold, italic, link }, at) => {
    let node: ReactNode = <Cited text={text} />
    if (bold) node = <strong>{node}</strong>
    if (italic) node = <em>{node}</em>
    if (link && /^(https?:|mailto:|tel:)/i.test(link))
      node = (
        <a href={link} target="_blank" rel="noopener noreferrer nofollow">
          {node}
        </a>
      )
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <span key={at}>{node}</span>
  })
}

/** A text with rendered citations. */
function Cited({ text }: { text: string }) {
  const cite = use(CiteContext)
  return text.split(/(\[\d{1,3}\])/).map((part, at) => {
    const number = /^\[(\d{1,3})\]$/.exec(part)?.[1]
    const drawn = number && cite(Number(number))
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <Fragment key={at}>{drawn || part}</Fragment>
  })
}

function Table({ rows }: { rows: readonly MarkdownBlock[] }) {
  const cells = rows
    .map(({ children }) => cellsOf(children))
    // skip the delimiter row below the header
    .filter((row) => !row.every((cell) => /^\s*:?-+:?\s*$/.test(cell.map(({ text }) => text).join(''))))
  return (
    <div className={styles.table}>
      <table>
        <tbody>
          {cells.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={at}>
              {row.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={place}>
                  <Inlines leaves={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The cells of a table row. */
function cellsOf(leaves: readonly TextLeaf[]): TextLeaf[][] {
  const cells: TextLeaf[][] = [[]]
  for (const { text, ...marks } of leaves)
    for (const [at, piece] of text.split('|').entries()) {
      if (at > 0) cells.push([])
      cells.at(-1)?.push({ text: piece, ...marks })
    }
  return cells.slice(1, -1)
}

function withTables(blocks: readonly MarkdownBlock[]): Shown[] {
  const shown: Shown[] = []
  for (const block of blocks) {
    const last = shown.at(-1)
    const isRow = !block.list && !block.heading && /^\|.*\|$/s.test(block.children.map(({ text }) => text).join(''))
    if (!isRow) shown.push(block)
    else if (last && 'rows' in last) last.rows.push(block)
    else shown.push({ rows: [block] })
  }
  return shown
}
