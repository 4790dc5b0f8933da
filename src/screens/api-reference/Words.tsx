import { Fragment } from 'react'

/** The description's words: paragraphs, with `code` and **what stands out**, which is all that it has of Markdown. */
export function Words({ text }: { text: string }) {
  return text.split('\n\n').map((paragraph) => (
    <p key={paragraph}>
      {paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that never changes
        <Fragment key={at}>{shown(part)}</Fragment>
      ))}
    </p>
  ))
}

function shown(part: string) {
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>
  return part.startsWith('**') ? <strong>{part.slice(2, -2)}</strong> : part
}
