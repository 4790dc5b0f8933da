import { richTextToString } from './richText'

interface Leaf {
  text: string
  bold?: true
  italic?: true
  link?: string
}

/**
 * A rendered text as messaging apps write it: `*bold*`, `_italic_`; a link's address follows its text. Underlines are
 * not supported there.
 */
export const markedText = <Paragraph extends { children: Leaf[] }>(text: readonly Paragraph[]): string =>
  richTextToString(
    text.map((paragraph) => ({
      ...paragraph,
      children: paragraph.children.map(({ text: words, bold, italic, link }) => ({
        text: withLink(wrap(wrap(words, bold, '*'), italic, '_'), words, link),
      })),
    })) as unknown as Parameters<typeof richTextToString>[0],
    () => '',
  )

/** Signs must be adjacent to words: leading and trailing spaces stay outside. */
function wrap(text: string, on: true | undefined, mark: string): string {
  const words = text.trim()
  return on && words !== '' ? text.replace(words, () => `${mark}${words}${mark}`) : text
}

function withLink(shown: string, words: string, link: string | undefined): string {
  const address = link?.replace(/^(?:mailto|tel):/i, '')
  return address === undefined || address === words ? shown : `${shown} (${address})`
}
