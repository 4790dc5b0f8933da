import { ExternalLink } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as Y from 'yjs'
import { caps } from '../../engine/values/caps'
import { type DynamicValue, isBlankValue } from '../../engine/values/dynamicValue'
import { linkProblem, readLink, writeLink } from '../../engine/values/linkAddress'
import { Button } from '../ui/Button'
import { DynamicInput } from './DynamicInput'
import styles from './text.module.css'

export interface LinkFormProps {
  /** the present address; empty for none */
  link: string
  /** null removes the link */
  onApply: (link: string | null) => void
  onCancel: () => void
}

/** The target of a link: an address, possibly with variables. */
export function LinkForm({ link, onApply, onCancel }: LinkFormProps) {
  const { t } = useTranslation('text')
  const { value, set, undo } = useDraft(() => readLink(link))
  const [error, setError] = useState<string | null>(null)
  const errorId = useId()
  const apply = () => {
    const problem = isBlankValue(value) ? null : linkProblem(value)
    if (problem) setError(problem)
    else onApply(isBlankValue(value) ? null : writeLink(value))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    apply()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isAddress = event.target instanceof Element && event.target.role === 'textbox'
    if (event.nativeEvent.isComposing || !(event.key === 'Escape' || (event.key === 'Enter' && isAddress))) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') onCancel()
    else apply()
  }
  const opens = link !== '' && readLink(link).type === 'static'
  return (
    <form className={styles.linkForm} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <DynamicInput
        autoFocus
        label={t('linkAddress')}
        placeholder="https://"
        value={value}
        onChange={(next) => {
          set(next)
          setError(null)
        }}
        undo={undo}
        max={caps.url}
        error={error ?? undefined}
        describedBy={error === null ? undefined : errorId}
      />
      {error !== null && (
        <p className={styles.linkError} id={errorId} role="alert">
          {error}
        </p>
      )}
      <div className={styles.linkActions}>
        {opens && (
          <a className={styles.linkOpen} href={link} target="_blank" rel="noreferrer noopener">
            <ExternalLink size={13} aria-hidden /> {t('linkOpen')}
          </a>
        )}
        {link !== '' && (
          <Button design="ghost" size="s" onClick={() => onApply(null)}>
            {t('linkRemove')}
          </Button>
        )}
        <Button design="primary" size="s" type="submit">
          {t('linkApply')}
        </Button>
      </div>
    </form>
  )
}

/** A draft value with its own history: the flow gets it as one change. */
function useDraft(initial: () => DynamicValue) {
  const [draft] = useState(() => {
    const map = new Y.Doc().getMap<DynamicValue>()
    map.set('value', initial())
    return { map, undo: new Y.UndoManager(map) }
  })
  const [value, setValue] = useState(initial)
  const follow = () => setValue(draft.map.get('value') ?? value)
  return {
    value,
    set: (next: DynamicValue) => {
      draft.map.set('value', next)
      setValue(next)
    },
    undo: {
      undo: () => {
        draft.undo.undo()
        follow()
      },
      redo: () => {
        draft.undo.redo()
        follow()
      },
      stopCapturing: () => draft.undo.stopCapturing(),
    },
  }
}
