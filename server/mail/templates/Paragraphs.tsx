import { Link, Text } from '@react-email/components'
import { Fragment, type ReactNode } from 'react'
import type { RenderedRichText, RichTextLeaf } from '../../../engine/values/richText'
import { isExternalUrl } from '../../../engine/values/url'

/** Rich text as a mail shows it. What variables brought along is text: React escapes it. */
export function Paragraphs({ body }: { body: RenderedRichText }) {
  return body.map(({ children }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
    <Text key={index} style={{ margin: '0 0 12px', fontSize: 15, lineHeight: '24px' }}>
      {children.every(({ text }) => text === '') ? (
        <br />
      ) : (
        children.map((leaf, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
          <Fragment key={at}>{marked(leaf)}</Fragment>
        ))
      )}
    </Text>
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
  return link && isExternalUrl(link) ? <Link href={link}>{shown}</Link> : shown
}
