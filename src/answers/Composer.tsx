import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, type Ref, type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../i18n/format'
import styles from './thread.module.css'

/** SPEC.md 9: a user's message. */
const CAP = 20_000

interface ComposerProps {
  placeholder: string
  writing: boolean
  onAsk: (question: string) => void
  onStop: () => void
  inputRef?: Ref<HTMLTextAreaElement>
}

/** The input for questions. Enter asks, Shift-Enter starts a line; while an answer is streamed the button stops it. */
export function Composer({ placeholder, writing, onAsk, onStop, inputRef }: ComposerProps) {
  const { t } = useTranslation('answers')
  const [text, setText] = useState('')
  const tooLong = text.trim().length > CAP
  const ready = text.trim() !== '' && !tooLong && !writing
  const send = () => {
    if (!ready) return
    onAsk(text.trim())
    setText('')
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    send()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form className={styles.composer} onSubmit={submit} data-below-notices>
      <div className={styles.field}>
        <textarea
          ref={inputRef}
          className={styles.input}
          rows={1}
          aria-label={t('question')}
          aria-invalid={tooLong || undefined}
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={press}
        />
        {writing ? (
          <button
            key="stop"
            type="button"
            className={styles.send}
            data-stop
            aria-label={t('stop')}
            title={t('stop')}
            onClick={onStop}
          >
            <Square size={12} fill="currentColor" />
          </button>
        ) : (
          <button
            key="ask"
            type="submit"
            className={styles.send}
            aria-label={t('ask')}
            title={t('ask')}
            disabled={!ready}
          >
            <ArrowUp size={17} />
          </button>
        )}
      </div>
      {tooLong && (
        <p role="alert" className={styles.over}>
          {t('tooLong', { length: formatNumber(text.trim().length), max: formatNumber(CAP) })}
        </p>
      )}
    </form>
  )
}
