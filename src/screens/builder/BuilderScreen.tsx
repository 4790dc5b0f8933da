import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { registry } from '../../../blocks/registry'
import { personOf } from '../../../engine/document/person'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { useAccount } from '../../api/account'
import { chatbotQuery } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { openRoom } from '../../api/openingFlow'
import { serverWatch } from '../../api/serverWatch'
import { createCarets } from '../../collab/carets'
import { editStoreOf } from '../../collab/editStore'
import type { Obstacle, OpenFlow } from '../../collab/flowState'
import { FlowProvider, useFlowDocument, useFlowState } from '../../collab/useFlow'
import { CaretProvider } from '../../text/caretRoom'
import { ErrorCard } from '../../ui/ErrorCard'
import { PageTitle } from '../../ui/PageTitle'
import { Builder } from './Builder'
import styles from './Builder.module.css'
import { StrandedEdits } from './StrandedEdits'
import { builderTexts } from './texts'
import { usePreloadTexts } from './usePreload'
import { useRescue } from './useRescue'

/** /projects/:pgid/chatbots/:cgid/builder: opens the chatbot's main flow, or the one in `?flow=`. */
export function BuilderScreen() {
  const { pgid = '', cgid = '' } = useParams()
  const { t } = useTranslation(builderTexts)
  const chatbot = useQuery(chatbotQuery(pgid, cgid))
  const [search, setSearch] = useSearchParams()
  const asked = search.get('flow')
  const fid = asked ?? chatbot.data?.fid
  const room = useQuery({
    queryKey: ['document', pgid, cgid, fid],
    queryFn: ({ signal }) => openRoom({ pgid, cgid, fid: fid ?? '' }, signal),
    enabled: fid !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // the previous flow stays visible until the next one is loaded
    placeholderData: keepPreviousData,
  })
  // a failed reload must not close an open flow with edits: only missing data counts
  const unread = [chatbot, room].find(({ data, error }) => error && !data)
  if (unread?.error) {
    const { error } = unread
    const retry = () => void unread.refetch()
    // the flow may be deleted, or the address wrong
    const elsewhere = unread === room && asked !== null
    return (
      <ErrorCard
        screen
        title={t('load.failed')}
        message={failureText(error, t('load.failed'))}
        action={
          elsewhere
            ? { label: t('flows.openMain'), onClick: () => setSearch({}) }
            : { label: t('load.retry'), onClick: retry }
        }
      />
    )
  }
  if (!chatbot.data || !room.data) return <Opening />
  return (
    <>
      <PageTitle>{chatbot.data.name}</PageTitle>
      <OpenBuilder pgid={pgid} chatbot={chatbot.data} room={room.data.room} readOnly={room.data.read_only} />
    </>
  )
}

function OpenBuilder({
  pgid,
  chatbot,
  room,
  readOnly,
}: {
  pgid: string
  chatbot: Chatbot
  room: string
  readOnly: boolean
}) {
  const { ui: user, account } = useAccount().user
  const { gid: cgid, name } = chatbot
  const keep = useMemo(
    () => ({ user, store: editStoreOf(user), place: { pgid, cgid, name } }),
    [user, pgid, cgid, name],
  )
  const person = personOf({ id: user, ...account }, readOnly)
  const open = useFlowDocument({ room, readOnly, registry, person, keep })
  const flow = open?.flow
  const carets = useMemo(() => flow && createCarets(flow.presence), [flow])
  useServerWatch(flow)
  usePreloadTexts(flow)
  if (!open || !carets) return <Opening />
  return (
    <CaretProvider value={carets}>
      <FlowProvider flow={open.flow}>
        <WhenReady pgid={pgid} chatbot={chatbot}>
          <Builder pgid={pgid} chatbot={chatbot} fid={open.room} />
        </WhenReady>
      </FlowProvider>
    </CaretProvider>
  )
}

/**
 * A lost connection may be the first sign that the server is unavailable; when that is back, the flow reconnects at
 * once.
 */
function useServerWatch(flow: OpenFlow | undefined) {
  useEffect(() => {
    if (!flow) return
    const stopLooking = flow.store.subscribe(({ status, obstacle }, before) => {
      if (status === 'offline' && before.status !== status && !obstacle) serverWatch.suspect()
      // it has just responded here
      if ((status === 'saved' || status === 'saving') && serverWatch.store.getState().away) serverWatch.tryNow()
    })
    const stops = [stopLooking, serverWatch.onReturn(() => void flow.connect())]
    return () => {
      for (const stop of stops) stop()
    }
  }, [flow])
}

/**
 * Renders once the flow is loaded: before, it looks empty, and nobody should start to build on that. Hidden from
 * removed members.
 */
function WhenReady({ pgid, chatbot, children }: { pgid: string; chatbot: Chatbot; children: React.ReactNode }) {
  const { t } = useTranslation('builder')
  const ready = useFlowState((state) => state.ready)
  const refusal = useFlowState((state) => state.refusal)
  const obstacle = useFlowState((state) => state.obstacle)
  // the loaded account is outdated as well, so the whole page is replaced
  if (refusal === 'gone') return <Gone pgid={pgid} chatbot={chatbot} />
  if (ready) return children
  if (!refusal) return <Opening obstacle={obstacle} />
  return (
    <ErrorCard
      screen
      title={t('load.failed')}
      message={t(`refusal.${refusal}`)}
      action={{ label: t('refusal.reload'), onClick: () => location.reload() }}
    />
  )
}

function Gone({ pgid, chatbot }: { pgid: string; chatbot: Chatbot }) {
  const { t } = useTranslation('builder')
  const { t: app } = useTranslation()
  const { onRescue, ...rescue } = useRescue()
  return (
    <>
      <ErrorCard
        screen
        title={t('refusal.goneTitle')}
        message={t(onRescue ? 'refusal.goneUnsent' : 'refusal.gone')}
        action={
          onRescue
            ? { label: t('offline:details.rescue'), onClick: onRescue }
            : { label: app('screens.home'), onClick: () => location.assign('/') }
        }
      />
      <StrandedEdits pgid={pgid} chatbot={chatbot} {...rescue} />
    </>
  )
}

function Opening({ obstacle = null }: { obstacle?: Obstacle | null }) {
  const { t } = useTranslation('builder')
  return (
    <div className={styles.opening} role="status">
      <span className={styles.openingText}>{t(obstacle ? `obstacle.${obstacle}` : 'load.opening')}</span>
    </div>
  )
}
