import { Check } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printMarkup } from '../../../engine/translations/markup'
import { lostInRow, stateOfRow, translationOf } from '../../../engine/translations/textRows'
import { isRightToLeft, languageName } from '../../../engine/values/languages'
import { Badge } from '../../ui/Badge'
import { IconButton } from '../../ui/IconButton'
import { ShownText } from './ShownText'
import styles from './textTable.module.css'
import type { Edits } from './useEdits'
import type { ListedText } from './useTexts'

interface CellProps {
  text: ListedText
  language: string
  label: string
  readOnly: boolean
  edits: Edits
  drafts: Map<string, string>
  writing: boolean
  onWrite: () => void
  onLeave: () => void
  /** to the row below or above */
  onGoOn: (by: 1 | -1) => void
}

/** One translation: to look at, and to write once it was chosen. */
export function TranslationCell(props: CellProps) {
  const { text, language, label, readOnly, edits, writing, onWrite } = props
  const { t } = useTranslation('translations')
  const { row, names } = text
  const translation = translationOf(row, language)
  const state = stateOfRow(row, language)
  const lost = lostInRow(row, language)
  const look = { lang: language, dir: isRightToLeft(language) ? ('rtl' as const) : ('ltr' as const) }
  const shown = translation ? <ShownText value={translation.text} names={names} /> : t('missing')
  return (
    <td className={styles.cell} data-state={state} data-writing={writing || undefined}>
      {/* where the table has no heads */}
      <span className={styles.language} aria-hidden>
        {languageName(language)}
      </span>
      {writing && !readOnly ? (
        <Editor {...props} look={look} />
      ) : readOnly ? (
        <div className={styles.said} data-missing={!translation || undefined} {...(translation && look)}>
          {shown}
        </div>
      ) : (
        <button
          type="button"
          className={styles.said}
          aria-label={label}
          data-missing={!translation || undefined}
          {...(translation && look)}
          onClick={onWrite}
        >
          {shown}
        </button>
      )}
      {(state === 'outdated' || state === 'machine') && (
        <span className={styles.state}>
          <span title={t(`${state}Hint`)}>
            <Badge tone={state === 'outdated' ? 'warning' : 'neutral'}>{t(`states.${state}`)}</Badge>
          </span>
          {!readOnly && (
            <IconButton
              size="s"
              label={t('confirm')}
              icon={<Check size={14} />}
              onClick={() => edits.confirm(text, language)}
            />
          )}
        </span>
      )}
      {lost.length > 0 && (
        <span className={styles.lost}>
          {t('lost', { names: lost.map((id) => `{{${names.nameOf(id)}}}`).join(', ') })}
        </span>
      )}
    </td>
  )
}

function Editor(props: CellProps & { look: { lang: string; dir: 'rtl' | 'ltr' } }) {
  const { text, language, label, edits, drafts, onLeave, onGoOn, look } = props
  const { t } = useTranslation('translations')
  const { row, names } = text
  const translation = translationOf(row, language)
  const before = translation ? printMarkup(translation.text, names.nameOf) : ''
  const place = `${text.key}/${language}`
  const [draft, setDraft] = useState(() => drafts.get(place) ?? before)
  /** what it was when one began to write, and since one was told of another's */
  const [known, setKnown] = useState(before)
  const isUntouched = draft === known
  // what somebody else writes meanwhile is shown at once where nothing was typed, and told of where something was
  if (before !== known && (isUntouched || draft === before)) {
    setKnown(before)
    if (isUntouched) setDraft(before)
  }
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  /** what is over: leaving the field says nothing any more */
  const closed = useRef(false)
  const isLine = !Array.isArray(row.text)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  useEffect(() => {
    const area = field.current
    if (!area) return
    // as high as its text: the row is measured by it
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  })
  const change = (next: string) => {
    setDraft(next)
    setProblem(null)
    drafts.set(place, next)
  }
  /** @returns whether it is written */
  const write = (): boolean => {
    const message = draft === before ? null : edits.write(text, language, draft)
    setProblem(message)
    if (message !== null) return false
    drafts.delete(place)
    closed.current = true
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      closed.current = true
      drafts.delete(place)
      return onLeave()
    }
    if (event.key !== 'Enter' || (event.shiftKey && !isLine && !event.ctrlKey)) return
    event.preventDefault()
    // who goes on from what a model wrote has looked at it
    if (draft === before && translation) edits.confirm(text, language)
    if (write()) onGoOn(event.shiftKey ? -1 : 1)
  }
  return (
    <>
      <textarea
        ref={field}
        className={styles.editor}
        rows={1}
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={`${place}-hint`}
        {...look}
        value={draft}
        onChange={(event) => change(isLine ? event.target.value.replaceAll('\n', ' ') : event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => !closed.current && write() && onLeave()}
      />
      <span
        id={`${place}-hint`}
        className={problem === null ? styles.hint : styles.problem}
        role={problem === null ? undefined : 'alert'}
      >
        {problem ?? t('hint', { variable: '{{name}}' })}
      </span>
      {before !== known && (
        <span className={styles.problem} role="status">
          {before === '' ? t('removedMeanwhile') : t('changedMeanwhile', { text: before })}
        </span>
      )}
    </>
  )
}
