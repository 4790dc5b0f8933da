import { Lock } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type DynamicValue, dynamicValueToString } from '../../engine/values/dynamicValue'
import { readLink } from '../../engine/values/linkAddress'
import { isChip, type RichText, type RichTextInline } from '../../engine/values/richText'
import { secretLabel } from '../../engine/values/secrets'
import styles from './text.module.css'

/** Returns a variable's name; nothing if it was deleted. */
export type NameOf = (variableId: string) => string | null | undefined

/** A variable, or a part of one, in texts, on faces and in lists. */
export function Chip({ name, path }: { name: string | null | undefined; path?: string }) {
  const { t } = useTranslation('text')
  const text = name == null ? t('variables.deleted') : `${name}${path ?? ''}`
  // truncated if there is little room
  const isLong = text.length > 10
  return (
    <span className={styles.chip} data-chip data-deleted={name == null || undefined} title={isLong ? text : undefined}>
      {text.startsWith(SECRET) && <Lock size={10} className={styles.chipLock} aria-hidden />}
      {text}
    </span>
  )
}
/** The prefix of secrets' names; no variable's name contains a full stop. */
const SECRET = secretLabel('')

/** Read-only rich text. Its parts have no ids, so their indexes are keys. */
export function RichTextView({ value, nameOf }: { value: RichText; nameOf: NameOf }) {
  return value.map((paragraph, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <div key={at} className={styles.paragraph} data-list={paragraph.list} data-level={paragraph.level}>
      {tied(paragraph.children, isChip, (child) => inline(child, nameOf))}
      {paragraph.children.every((child) => child.text === '' && !isChip(child)) && <br />}
    </div>
  ))
}

/** A read-only dynamic value. */
export function DynamicView({ value, nameOf }: { value: DynamicValue; nameOf: NameOf }) {
  if (value.type === 'static') return value.value
  return tied(
    value.parts,
    (part) => part.type === 'variable',
    (part) => (part.type === 'text' ? part.text : <Chip name={nameOf(part.variable_id)} path={part.path} />),
  )
}

/**
 * Keeps each chip on the same line as the punctuation after it (as in `countLines`): a browser may break after any
 * inline block.
 */
function tied<Part>(
  parts: readonly Part[],
  isOneChip: (part: Part) => boolean,
  draw: (part: Part) => ReactNode,
): ReactNode[] {
  const drawn: ReactNode[] = []
  let begun = 0
  for (const [place, part] of parts.entries()) {
    const next = parts[place + 1]
    const text = isOneChip(part) ? textOf(next) : ''
    const end = PUNCTUATION.exec(text)?.[0].length ?? 0
    const own = begun > 0 ? { ...part, text: textOf(part).slice(begun) } : part
    begun = end
    if (end === 0) drawn.push(<Fragment key={place}>{draw(own)}</Fragment>)
    else
      drawn.push(
        <span key={place} className={styles.tied}>
          {draw(own)}
          {draw({ ...(next as Part), text: text.slice(0, end) })}
        </span>,
      )
  }
  return drawn
}

const PUNCTUATION = /^[,.;:!?)\]]+/

/** Empty for a chip. */
const textOf = (part: unknown): string =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : ''

function inline(child: RichTextInline, nameOf: NameOf): ReactNode {
  const content = isChip(child) ? <Chip name={nameOf(child.variable_id)} path={child.path} /> : child.text
  return marked(child, content, nameOf)
}

/** Wraps content in the formatting of a leaf or chip; links can't be followed in the builder. */
export function marked(
  style: { bold?: true; italic?: true; underline?: true; link?: string },
  content: ReactNode,
  nameOf: NameOf,
): ReactNode {
  let node = content
  if (style.bold) node = <strong>{node}</strong>
  if (style.italic) node = <em>{node}</em>
  if (style.underline) node = <u>{node}</u>
  if (style.link !== undefined)
    node = (
      <span className={styles.link} title={linkWords(style.link, nameOf)}>
        {node}
      </span>
    )
  return node
}

/** A link's address with variable names. */
const linkWords = (link: string, nameOf: NameOf): string =>
  dynamicValueToString(readLink(link), (id, path = '') => `{${nameOf(id) ?? '?'}${path}}`)
