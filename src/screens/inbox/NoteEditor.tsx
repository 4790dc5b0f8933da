import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { writeMentions } from '../../../engine/values/mentions'
import { addNote, type InboxConversation, type InboxSetup, NOTE_CAP } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { fieldOr } from '../../api/failure'
import { refreshConversation } from '../../api/inbox'
import { MentionList } from '../../comments/MentionList'
import { matchPeople, mentionLabels, typedMention } from '../../comments/mentionLabels'
import { Button } from '../../ui/Button'
import { TextArea } from '../../ui/TextArea'
import { keepNoteDraft, readNoteDraft } from './drafts'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'

/** A note for colleagues: @ names one of them. The visitor never sees it. */
export function NoteEditor({ conversation, setup }: { conversation: InboxConversation; setup: InboxSetup }) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const client = useQueryClient()
  const { gid } = conversation
  const [text, setText] = useState(() => readNoteDraft(gid))
  const write = (next: string) => {
    setText(next)
    keepNoteDraft(gid, next)
  }
  const [caret, setCaret] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)
  /** the same for a note that is sent again after a failure */
  const clientId = useRef(newId())
  const listId = useId()
  const people = useMemo(() => mentionLabels(setup.members), [setup.members])
  const mention = caret === null ? null : typedMention(text, caret)
  const found = mention ? matchPeople(people, mention.search).slice(0, 8) : []
  const chosen = found[Math.min(active, found.length - 1)]
  const add = useMutation({
    mutationFn: (body: string) =>
      callRoute(addNote, { params: { pgid, conversation: gid }, body: { client_id: clientId.current, body } }),
    onSuccess: () => {
      clientId.current = newId()
      write('')
      void refreshConversation(client, pgid, gid)
    },
  })
  const look = () => {
    setCaret(field.current?.selectionStart ?? null)
    setActive(0)
  }
  const pick = (name: string) => {
    if (!mention || caret === null) return
    const before = `${text.slice(0, mention.from)}@${name} `
    // synchronously: a key before the next frame would be inserted at the old caret
    flushSync(() => write(before + text.slice(caret).replace(/^ /, '')))
    field.current?.focus()
    field.current?.setSelectionRange(before.length, before.length)
    look()
  }
  const send = () => {
    if (text.trim() && text.length <= NOTE_CAP && !add.isPending) add.mutate(writeMentions(text.trim(), people))
  }
  const onKeys = (event: KeyboardEvent) => {
    if (chosen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setActive((at) => (at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length)
      return
    }
    if (chosen && event.key === 'Escape') return setCaret(null)
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (chosen) pick(chosen.name)
    else send()
  }
  return (
    <div className={styles.noteEditor}>
      {chosen && <MentionList id={listId} people={found} active={chosen.gid} onPick={pick} />}
      <TextArea
        ref={field}
        aria-label={t('note.label')}
        placeholder={t('note.placeholder')}
        value={text}
        minRows={3}
        maxRows={8}
        maxLength={NOTE_CAP}
        error={add.error ? fieldOr(add.error, 'body', t('failed')) : undefined}
        {...(chosen && { role: 'combobox', 'aria-expanded': true, 'aria-controls': listId })}
        aria-activedescendant={chosen ? `${listId}-${chosen.gid}` : undefined}
        onChange={(event) => {
          write(event.currentTarget.value)
          look()
        }}
        onKeyDown={onKeys}
        onClick={look}
        onBlur={() => setCaret(null)}
      />
      <div className={styles.replyFoot}>
        <span className={styles.hint}>{t('note.hint')}</span>
        <span className={styles.space} />
        <Button size="s" design="primary" disabled={!text.trim()} loading={add.isPending} onClick={send}>
          {t('note.add')}
        </Button>
      </div>
    </div>
  )
}

const newId = () => crypto.randomUUID().replaceAll('-', '')
