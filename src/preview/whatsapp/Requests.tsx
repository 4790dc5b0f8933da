import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { previewWhatsapp } from '../../../server/contracts/whatsappRequests'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { CodeBlock } from '../../ui/CodeBlock'
import { LoadingState } from '../../ui/LoadingState'
import type { ChatSession } from '../../widget/conversation'
import type { Debugger } from '../debugger'
import css from './whatsapp.module.css'

/** The bodies of the calls that would send the shown messages of the bot, as the server composes them. */
export function Requests({ session, bug }: { session: ChatSession; bug: Debugger }) {
  const { t } = useTranslation('preview')
  const { messages } = useSyncExternalStore(session.subscribe, session.state)
  const conversation = useStore(bug.store, (state) => state.conversation)
  const turns = useStore(bug.store, (state) => state.debug?.turns.length ?? 0)
  const { pgid, cgid } = bug.draft
  const { data, error } = useQuery({
    queryKey: ['whatsapp', cgid, 'preview', conversation, turns, messages.at(-1)?.seq ?? 0],
    queryFn: ({ signal }) =>
      callRoute(previewWhatsapp, { params: { pgid, cgid, conversation: conversation ?? '' }, signal }),
    enabled: conversation !== null,
    placeholderData: keepPreviousData,
  })
  // while one looks back, the conversation is shown as it was
  const shown = new Set(messages.map(({ seq }) => seq))
  const requests = data?.messages.flatMap((message) => (shown.has(message.seq) ? message.requests : []))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.requests} aria-label={t('whatsapp.requests')} tabIndex={0}>
      <p>{t('whatsapp.requestsHint')}</p>
      {error && <p role="alert">{failureText(error, t('whatsapp.requestsFailed'))}</p>}
      {!requests && !error && <LoadingState rows={4} />}
      {requests?.length === 0 && <p>{t('whatsapp.noRequests')}</p>}
      {requests && requests.length > 0 && (
        <CodeBlock label={t('whatsapp.requests')} code={JSON.stringify(requests, null, 2)} />
      )}
    </section>
  )
}
