import { useQuery } from '@tanstack/react-query'
import { AtSign, SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { writeMentions } from '../../engine/values/mentions'
import { commentCaps } from '../../server/contracts/comments'
import { mentionableQuery } from '../api/comments'
import { fieldOr } from '../api/failure'
import { useFlowStatus } from '../collab/useFlow'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import { TextArea } from '../ui/TextArea'
import styles from './Composer.module.css'
import { MentionList } from './MentionList'
import { matchPeople, mentionLabels, typedMention } from './mentionLabels'
import { useComments } from './useComments'

interface ComposerProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  /** sends the text with encoded mentions; if it throws, the message is shown and the text stays */
  onSend: (body: string) => Promise<unknown>
  /** people already mentioned by the text, who may have left meanwhile */
  known?: readonly { gid: string; name: string }[]
  /** the button's label; default: an arrow */
  action?: string
  onCancel?: () => void
}

const NOBODY: readonly { gid: string; name: string }[] = []

/** The input of a comment: @ offers the members, Enter sends, Shift with Enter starts a line. */
export function Composer({
  label,
  placeholder,
  text,
  onText,
  onSend,
  known = NOBODY,
  action,
  onCancel,
}: ComposerProps) {
  const { t } = useTranslation('comments')
  const { flow } = useComments()
  const offline = useFlowStatus() === 'offline'
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const { data } = useQuery(mentionableQuery(flow))
  const people = useMemo(() => mentionLabels(data ?? NOBODY), [data])
  const mention = caret === null ? null : typedMention(text, caret)
  const found = mention ? matchPeople(people, mention.search).slice(0, 8) : []
  const chosen = found[Math.min(active, found.length - 1)]

  const look = () => {
    setCaret(field.current?.selectionStart ?? null)
    setActive(0)
  }
  const write = (next: string, at: number) => {
    // synchronously: a key before the next frame would be inserted at the old caret
    flushSync(() => onText(next))
    field.current?.focus()
    field.current?.setSelectionRange(at, at)
    look()
  }
  const pick = (name: string) => {
    if (!mention || caret === null) return
    const before = `${text.slice(0, mention.from)}@${name} `
    write(before + text.slice(caret).replace(/^ /, ''), before.length)
  }
  const tooLong = text.length > commentCaps.body
  const send = async () => {
    if (text.trim() === '' || sending || offline || tooLong) return
    setSending(true)
    setError(null)
    try {
      const unlisted = known.filter(({ gid }) => !people.some((person) => person.gid === gid))
      await onSend(writeMentions(text.trim(), [...people, ...unlisted]))
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (chosen && pickByKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape' && onCancel) {
      event.preventDefault()
      onCancel()
    }
  }
  /** True for a key handled by the open list of people. */
  const pickByKey = (event: KeyboardEvent): boolean => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0)
      setActive((found.indexOf(chosen ?? found[0] ?? { gid: '', name: '' }) + step + found.length) % found.length)
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
      pick(chosen?.name ?? '')
    else if (event.key === 'Escape') setCaret(null)
    else return false
    event.preventDefault()
    return true
  }
  const problem = tooLong
    ? t('composer.tooLong', { count: text.length - commentCaps.body })
    : error
      ? fieldOr(error, 'body', t('composer.failed'))
      : null
  return (
    <div className={styles.composer}>
      {chosen && <MentionList id={listId} people={found} active={chosen.gid} onPick={pick} />}
      <TextArea
        ref={field}
        minRows={1}
        maxRows={8}
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(chosen && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${chosen.gid}` })}
        placeholder={placeholder}
        value={text}
        readOnly={sending}
        data-autofocus
        onChange={(event) => {
          onText(event.currentTarget.value)
          look()
        }}
        onSelect={() => setCaret(field.current?.selectionStart ?? null)}
        onBlur={() => setCaret(null)}
        onKeyDown={onKeyDown}
      />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
          {error !== null && !tooLong && (
            <Button size="s" design="ghost" onClick={() => void send()}>
              {t('composer.again')}
            </Button>
          )}
        </p>
      )}
      {offline && <p className={styles.offline}>{t('composer.offline')}</p>}
      <div className={styles.row}>
        <IconButton
          size="s"
          label={t('composer.mention')}
          icon={<AtSign size={15} />}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            const at = field.current?.selectionStart ?? text.length
            const gap = /[\p{L}\p{N}_]$/u.test(text.slice(0, at)) ? ' ' : ''
            write(`${text.slice(0, at)}${gap}@${text.slice(at)}`, at + gap.length + 1)
          }}
        />
        <span className={styles.hint}>{t('composer.hint')}</span>
        {onCancel && (
          <Button size="s" design="ghost" onClick={onCancel}>
            {t('composer.cancel')}
          </Button>
        )}
        {action === undefined ? (
          <IconButton
            size="s"
            design="bordered"
            label={t('composer.send')}
            icon={<SendHorizontal size={15} />}
            disabled={text.trim() === '' || offline || sending || tooLong}
            onClick={() => void send()}
          />
        ) : (
          <Button
            size="s"
            design="primary"
            disabled={text.trim() === '' || offline || tooLong}
            loading={sending}
            onClick={() => void send()}
          >
            {action}
          </Button>
        )}
      </div>
    </div>
  )
}
