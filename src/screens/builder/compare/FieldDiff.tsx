import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldChange, isRichText } from '../../../../engine/graph/fieldChanges'
import { wordDiff } from '../../../../engine/graph/wordDiff'
import type { Json } from '../../../../engine/values/json'
import { richTextToString } from '../../../../engine/values/richText'
import { useNames } from '../../../canvas/context'
import styles from './ChangeList.module.css'

/** A field before and after, side by side, with changed words marked. */
export function FieldDiff({ field }: { field: FieldChange }) {
  const { t } = useTranslation('versions')
  const names = useNames()
  const { path, before, after, reordered } = field
  const [was, is] = useMemo(() => {
    const word = (id: string) => names.variable(id) ?? names.group(id) ?? names.flow?.(id)
    const text = (value: Json | undefined): string => {
      if (value === undefined || value === null) return ''
      if (typeof value === 'string') return word(value) ?? value
      if (isRichText(value)) return richTextToString(value, (id) => `{${names.variable(id) ?? '?'}}`)
      return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
    }
    return [text(before), text(after)]
  }, [names, before, after])
  const parts = useMemo(() => wordDiff(was, is), [was, is])
  const side = (hidden: 'added' | 'removed') =>
    parts.map(({ text, change }, at) =>
      change === hidden ? null : change === 'same' ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
        <span key={at}>{text}</span>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <mark key={at} data-change={change}>
          {text}
        </mark>
      ),
    )
  const note = reordered ? t('fields.reordered') : was === is ? t('fields.format') : null
  return (
    <div className={styles.field}>
      <p className={styles.fieldName}>{path.map((key) => fieldName(key, t)).join(' › ')}</p>
      {note ? (
        <p className={styles.note}>{note}</p>
      ) : (
        <dl className={styles.sides}>
          <div>
            <dt>{t('fields.before')}</dt>
            <dd>{was === '' ? <i>{t('fields.nothing')}</i> : side('added')}</dd>
          </div>
          <div>
            <dt>{t('fields.after')}</dt>
            <dd>{is === '' ? <i>{t('fields.nothing')}</i> : side('removed')}</dd>
          </div>
        </dl>
      )}
    </div>
  )
}

/** Fields have no texts outside their forms: their keys are shown as words. */
function fieldName(key: string | number, t: (key: string, options: { defaultValue: string }) => string): string {
  if (typeof key === 'number') return String(key)
  const words = key.replace(/([a-z])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`)
  return t(`fields.names.${key}`, { defaultValue: words.charAt(0).toUpperCase() + words.slice(1) })
}
