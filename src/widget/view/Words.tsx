/** @jsxImportSource preact */
import type { BotMessage } from '../types'
import { isWebAddress, outward } from './address'

type Text = Extract<BotMessage, { kind: 'text' }>['text']
type TextLeaf = Text[number]['children'][number]

/** Rendered rich text, paragraph by paragraph. */
export function Words({ text }: { text: Text }) {
  return (
    <>
      {text.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a message never change
        <p key={index}>
          {paragraph.children.map((leaf, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: likewise
            <Leaf key={position} leaf={leaf} />
          ))}
        </p>
      ))}
    </>
  )
}

export const isEmpty = (text: Text): boolean =>
  text.every(({ children }) => children.every((leaf) => leaf.text.trim() === ''))

function Leaf({ leaf }: { leaf: TextLeaf }) {
  let node = <>{leaf.text}</>
  if (leaf.bold) node = <strong>{node}</strong>
  if (leaf.italic) node = <em>{node}</em>
  if (leaf.underline) node = <u>{node}</u>
  if (!leaf.link || !isWebAddress(leaf.link)) return node
  return (
    <a href={leaf.link} {...outward}>
      {node}
    </a>
  )
}
