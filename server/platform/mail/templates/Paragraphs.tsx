import { Link, Text } from '@react-email/components'
import { Fragment, type ReactNode } from 'react'
import type { RenderedParagraph, RenderedRichText, RichTextLeaf } from '../../../../engine/values/richText'
import { type NestedList, nestLists } from '../../../../engine/values/richTextLists'
import { isLinkUrl } from '../../../../engine/values/url'

/** Rich text in a mail. Values of variables are text: React escapes them. */
export function Paragraphs({ body }: { body: RenderedRichText }) {
  return nestLists(body).map((block, index) =>
    'items' in block ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
      <List key={index} list={block} outer />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
      <Text key={index} style={{ ...lines, margin: '0 0 12px' }}>
        <Line of={block} />
      </Text>
    ),
  )
}

const lines = { fontSize: 15, lineHeight: '24px' }

/**
 * Real list elements: mail programs show them and read them aloud, and the plain-text version gets bullets and numbers.
 */
function List({ list, outer = false }: { list: NestedList<RenderedParagraph>; outer?: boolean }) {
  const Tag = list.kind === 'number' ? 'ol' : 'ul'
  return (
    <Tag style={{ ...lines, margin: outer ? '0 0 12px' : 0, paddingLeft: 24 }}>
      {list.items.map(({ content, lists }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
        <li key={index}>
          <Line of={content} />
          {lists.map((inner, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
            <List key={at} list={inner} />
          ))}
        </li>
      ))}
    </Tag>
  )
}

function Line({ of: { children } }: { of: RenderedParagraph }) {
  if (children.every(({ text }) => text === '')) return <br />
  return children.map((leaf, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
    <Fragment key={at}>{marked(leaf)}</Fragment>
  ))
}

function marked({ text, bold, italic, underline, link }: RichTextLeaf): ReactNode {
  let shown: ReactNode = text.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ))
  if (bold) shown = <strong>{shown}</strong>
  if (italic) shown = <em>{shown}</em>
  if (underline) shown = <u>{shown}</u>
  return link && isLinkUrl(link) ? <Link href={link}>{shown}</Link> : shown
}
