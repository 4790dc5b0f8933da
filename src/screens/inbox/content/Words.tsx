import type { BotMessage } from '../../../../engine/flow/conversation'
import { type NestedList, nestLists } from '../../../../engine/values/richTextLists'
import { splitTables } from '../../../../engine/values/richTextTables'
import { isLinkable, outward } from './address'
import styles from './content.module.css'

type Text = Extract<BotMessage, { kind: 'text' }>['text']
type Paragraph = Text[number]
type TextLeaf = Paragraph['children'][number]

/* Parts of a message never change, so their places are their keys. */

/** Words as the visitor sees them: paragraphs, lists, tables, links that lead somewhere. */
export function Words({ text }: { text: Text }) {
  return splitTables<TextLeaf, Paragraph>(text).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    'rows' in part ? <Table key={index} rows={part.rows} /> : <Lines key={index} lines={part.lines} />,
  )
}

function Lines({ lines }: { lines: readonly Paragraph[] }) {
  return nestLists(lines).map((block, index) =>
    'items' in block ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <List key={index} list={block} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <p key={index} className={styles.line}>
        <Line of={block.children} />
      </p>
    ),
  )
}

function List({ list }: { list: NestedList<Paragraph> }) {
  const Tag = list.kind === 'number' ? 'ol' : 'ul'
  return (
    <Tag className={styles.list}>
      {list.items.map(({ content, lists }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index}>
          <Line of={content.children} />
          {lists.map((inner, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <List key={position} list={inner} />
          ))}
        </li>
      ))}
    </Tag>
  )
}

function Table({ rows }: { rows: readonly TextLeaf[][][] }) {
  const [head = [], ...body] = rows
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div className={styles.scroll} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <th key={index} scope="col">
                <Line of={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={index}>
              {head.map((_, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={column}>
                  <Line of={row[column] ?? []} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Line = ({ of }: { of: readonly TextLeaf[] }) =>
  of.map((leaf, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Leaf key={position} leaf={leaf} />
  ))

function Leaf({ leaf }: { leaf: TextLeaf }) {
  let node = <>{leaf.text}</>
  if (leaf.bold) node = <strong>{node}</strong>
  if (leaf.italic) node = <em>{node}</em>
  if (leaf.underline) node = <u>{node}</u>
  if (!leaf.link || !isLinkable(leaf.link)) return node
  return (
    <a href={leaf.link} {...outward}>
      {node}
    </a>
  )
}
