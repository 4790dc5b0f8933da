/** @jsxImportSource preact */
import { type NestedList, nestLists } from '../../../engine/values/richTextLists'
import { splitTables } from '../../../engine/values/richTextTables'
import type { BotMessage } from '../types'
import { isFile, isLinkable, isWebAddress, outward } from './address'
import { Table } from './Table'

type Text = Extract<BotMessage, { kind: 'text' }>['text']
type Paragraph = Text[number]
type TextLeaf = Paragraph['children'][number]

/** Rendered rich text: paragraphs and lists. */
export function Words({ text }: { text: Text }) {
  return (
    <>
      {splitTables(text).map((part, index) =>
        'rows' in part ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message never change
          <Table key={index} rows={part.rows} draw={(leaf, key) => <Leaf key={key} leaf={leaf} />} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: likewise
          <Lines key={index} text={part.lines} />
        ),
      )}
    </>
  )
}

function Lines({ text }: { text: Text }) {
  return (
    <>
      {nestLists(text).map((block, index) =>
        'items' in block ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a message never change
          <List key={index} list={block} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: likewise
          <p key={index}>
            <Line of={block} />
          </p>
        ),
      )}
    </>
  )
}

function List({ list }: { list: NestedList<Paragraph> }) {
  const Tag = list.kind === 'number' ? 'ol' : 'ul'
  return (
    <Tag>
      {list.items.map(({ content, lists }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: likewise
        <li key={index}>
          <Line of={content} />
          {lists.map((inner, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: likewise
            <List key={position} list={inner} />
          ))}
        </li>
      ))}
    </Tag>
  )
}

const Line = ({ of }: { of: Paragraph }) => (
  <>
    {of.children.map((leaf, position) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: likewise
      <Leaf key={position} leaf={leaf} />
    ))}
  </>
)

export const isEmpty = (text: Text): boolean =>
  text.every(({ children }) => children.every((leaf) => leaf.text.trim() === ''))

function Leaf({ leaf }: { leaf: TextLeaf }) {
  let node = <>{leaf.text}</>
  if (leaf.bold) node = <strong>{node}</strong>
  if (leaf.italic) node = <em>{node}</em>
  if (leaf.underline) node = <u>{node}</u>
  if (!leaf.link || !isLinkable(leaf.link)) return node
  return (
    <a href={leaf.link} {...((isWebAddress(leaf.link) || isFile(leaf.link)) && outward)}>
      {node}
    </a>
  )
}
