import { Lock } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type DynamicValue, dynamicValueToString } from '../../engine/values/dynamicValue'
import { readLink } from '../../engine/values/linkAddress'
import { isChip, type RichText, type RichTextInline } from '../../engine/values/richText'
import { secretLabel } from '../../engine/values/secrets'
import styles from './text.module.css'

/** Gives a variable's name; nothing when it was deleted. */
export type NameOf = (variableId: string) => string | null | undefined

/** A variable, or a part of one, as it stands in texts, on faces and in lists. */
export function Chip({ name, path }: { name: string | null | undefined; path?: string }) {
  const { t } = useTranslation('text')
  const text = name == null ? t('variables.deleted') : `${name}${path ?? ''}`
  // where there is little room it is cut
  const isLong = text.length > 10
  return (
    <span className={styles.chip} data-chip data-deleted={name == null || undefined} title={isLong ? text : undefined}>
      {text.startsWith(SECRET) && <Lock size={10} className={styles.chipLock} aria-hidden />}
      {text}
    </span>
  )
}
/** How the names of secrets begin; no variable's name has a full stop. */
const SECRET = secretLabel('')

/** Rich text to look at. The parts have no identity of their own, so their places are their keys. */
export function RichTextView({ value, nameOf }: { value: RichText; nameOf: NameOf }) {
  return value.map((paragraph, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <div key={at} className={styles.paragraph} data-list={paragraph.list} data-level={paragraph.level}>
      {paragraph.children.map((child, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Fragment key={place}>{inline(child, nameOf)}</Fragment>
      ))}
      {paragraph.children.every((child) => child.text === '' && !isChip(child)) && <br />}
    </div>
  ))
}

/** A dynamic value to look at. */
export function DynamicView({ value, nameOf }: { value: DynamicValue; nameOf: NameOf }) {
  if (value.type === 'static') return value.value
  return value.parts.map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={place}>
      {part.type === 'text' ? part.text : <Chip name={nameOf(part.variable_id)} path={part.path} />}
    </Fragment>
  ))
}

function inline(child: RichTextInline, nameOf: NameOf): ReactNode {
  const content = isChip(child) ? <Chip name={nameOf(child.variable_id)} path={child.path} /> : child.text
  return marked(child, content, nameOf)
}

/** The marks of a leaf or a chip around its content; links are not followed in the builder. */
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

/** A link's address with the names of its variables. */
const linkWords = (link: string, nameOf: NameOf): string =>
  dynamicValueToString(readLink(link), (id, path = '') => `{${nameOf(id) ?? '?'}${path}}`)
