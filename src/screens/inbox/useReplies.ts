import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InboxMessage, replyToVisitor } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { ApiFailure, fieldOr } from '../../api/failure'
import { refreshConversation, refreshLists } from '../../api/inbox'
import { keepDraft, type ReplyFile, readDraft } from './drafts'

/** An answer can be taken back for this long before it is sent. */
export const UNDO_MS = 5_000

export interface OwnReply {
  clientId: string
  text: string
  files: readonly ReplyFile[]
  /** closes the conversation with it */
  close: boolean
  /** `held` can be taken back; `sent` waits to appear among the messages; `failed` stays until something is done */
  state: 'held' | 'sending' | 'sent' | 'failed'
  problem: string | null
  /** why it was refused, where it can be sent all the same */
  code: 'conversation_closed' | 'colleague_answered' | null
}

export interface Replies {
  /** those that are not among the messages yet */
  shown: readonly OwnReply[]
  send: (text: string, files: readonly ReplyFile[], close: boolean) => void
  /** takes one back: its text is to be edited again */
  takeBack: (clientId: string) => void
  /** how many were taken back: the editor begins anew with each, from what is kept as a draft */
  taken: number
  /** sends one that was refused or failed, all the same */
  again: (clientId: string) => void
}

const newId = () => crypto.randomUUID().replaceAll('-', '')

/**
 * One's own answers on their way. An answer is held for five seconds, in which it can be taken back; the next one, or
 * leaving the conversation, sends it at once. One that fails stays where it is, with its reason.
 */
export function useReplies(
  pgid: string,
  conversation: string,
  seen: number,
  messages: readonly InboxMessage[],
  /** the files of an answer that was taken back */
  onBack: (files: readonly ReplyFile[]) => void,
): Replies {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const [own, setOwn] = useState<readonly OwnReply[]>([])
  const [taken, setTaken] = useState(0)
  const present = useRef({ own, seen })
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  present.current = { own, seen }

  const change = useCallback((clientId: string, part: Partial<OwnReply>) => {
    setOwn((all) => all.map((one) => (one.clientId === clientId ? { ...one, ...part } : one)))
  }, [])

  const deliver = useCallback(
    async ({ clientId, text, files, close, code }: OwnReply) => {
      clearTimeout(timers.current.get(clientId))
      timers.current.delete(clientId)
      change(clientId, { state: 'sending', problem: null, code: null })
      try {
        await callRoute(replyToVisitor, {
          params: { pgid, conversation },
          body: {
            client_id: clientId,
            text,
            file_ids: files.map(({ id }) => id),
            seen: present.current.seen,
            close,
            anyway: code === 'colleague_answered',
            reopen: code === 'conversation_closed',
          },
        })
        change(clientId, { state: 'sent' })
        void refreshConversation(client, pgid, conversation)
        void refreshLists(client, pgid)
      } catch (error) {
        const known = error instanceof ApiFailure ? error.code : undefined
        const refused = known === 'conversation_closed' || known === 'colleague_answered' ? known : null
        change(clientId, { state: 'failed', problem: fieldOr(error, 'text', t('reply.failed')), code: refused })
        if (refused) void refreshConversation(client, pgid, conversation)
      }
    },
    [change, client, pgid, conversation, t],
  )
  const flush = useCallback(() => {
    for (const one of present.current.own) if (one.state === 'held') void deliver(one)
  }, [deliver])
  // who goes elsewhere has sent it
  useEffect(() => flush, [flush])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (present.current.own.some(({ state }) => state === 'held' || state === 'sending')) {
        flush()
        event.preventDefault()
      }
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [flush])

  const arrived = new Set(messages.flatMap((message) => message.client_id ?? []))
  return {
    shown: own.filter(({ clientId }) => !arrived.has(clientId)),
    send(text, files, close) {
      flush()
      const reply: OwnReply = { clientId: newId(), text, files, close, state: 'held', problem: null, code: null }
      setOwn((all) => [...all.filter(({ clientId }) => !arrived.has(clientId)), reply])
      timers.current.set(
        reply.clientId,
        setTimeout(() => void deliver(reply), UNDO_MS),
      )
    },
    taken,
    takeBack(clientId) {
      clearTimeout(timers.current.get(clientId))
      timers.current.delete(clientId)
      const back = own.find((one) => one.clientId === clientId)
      keepDraft(conversation, [back?.text, readDraft(conversation)].filter(Boolean).join('\n\n'))
      if (back) onBack(back.files)
      setTaken((count) => count + 1)
      setOwn((all) => all.filter((one) => one.clientId !== clientId))
    },
    again(clientId) {
      const one = own.find((reply) => reply.clientId === clientId)
      if (one) void deliver(one)
    },
  }
}
