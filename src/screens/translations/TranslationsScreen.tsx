import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { registry } from '../../../blocks/registry'
import { personOf } from '../../../engine/document/person'
import type { Chatbot } from '../../../server/contracts/chatbots'
import type { ListedFlow } from '../../../server/contracts/flows'
import { useAccount } from '../../api/account'
import { chatbotQuery } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { flowsQuery } from '../../api/flows'
import { openRoom } from '../../api/openingFlow'
import { editStoreOf } from '../../collab/editStore'
import type { FlowRoom } from '../../collab/takeFlow'
import { useFlows, useFlowsState } from '../../collab/useFlows'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageTitle } from '../../ui/PageTitle'
import { TranslationsView } from './TranslationsView'
import styles from './translations.module.css'
import type { OpenedFlow } from './useTexts'

/** /projects/:pgid/chatbots/:cgid/builder/translations: the texts of all flows of the chatbot, in its languages. */
export function TranslationsScreen() {
  const { pgid = '', cgid = '' } = useParams()
  const { t } = useTranslation('translations')
  const chatbot = useQuery(chatbotQuery(pgid, cgid))
  const flows = useQuery(flowsQuery(pgid, cgid))
  const rooms = useQueries({
    queries: (flows.data ?? []).map(({ gid: fid }) => ({
      queryKey: ['document', pgid, cgid, fid],
      queryFn: ({ signal }: { signal: AbortSignal }) => openRoom({ pgid, cgid, fid }, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    })),
    combine: (results) => ({
      data: results.every(({ data }) => data) ? results.flatMap(({ data }) => data ?? []) : null,
      failed: results.find(({ error, data }) => error && !data),
    }),
  })
  const failed = [chatbot, flows, rooms.failed].find((query) => query?.error && !query.data)
  if (failed?.error) {
    return (
      <ErrorCard
        screen
        title={t('failed')}
        message={failureText(failed.error, t('failed'))}
        action={{ label: t('retry'), onClick: () => void failed.refetch() }}
      />
    )
  }
  if (!chatbot.data || !flows.data || !rooms.data) return <Opening />
  return (
    <>
      <PageTitle>{t('title')}</PageTitle>
      <OpenTranslations pgid={pgid} chatbot={chatbot.data} listed={flows.data} rooms={rooms.data} />
    </>
  )
}

interface OpenProps {
  pgid: string
  chatbot: Chatbot
  listed: readonly ListedFlow[]
  rooms: readonly { room: string; read_only: boolean }[]
}

function OpenTranslations({ pgid, chatbot, listed, rooms }: OpenProps) {
  const { ui: user, account } = useAccount().user
  const { gid: cgid, name } = chatbot
  const keep = useMemo(
    () => ({ user, store: editStoreOf(user), place: { pgid, cgid, name } }),
    [user, pgid, cgid, name],
  )
  // the same rooms are the same list, however often the flows are listed again
  const key = JSON.stringify(rooms.map(({ room, read_only }): FlowRoom => ({ room, readOnly: read_only })))
  const wanted = useMemo(() => JSON.parse(key) as FlowRoom[], [key])
  const person = personOf(
    { id: user, ...account },
    wanted.some(({ readOnly }) => readOnly),
  )
  const open = useFlows({ rooms: wanted, registry, person, keep })
  const opened = useMemo(
    () =>
      open?.flatMap((flow, at): OpenedFlow[] => {
        const { gid: fid, title, is_main: isMain } = listed[at] ?? {}
        return fid === undefined ? [] : [{ fid, title: title ?? '', isMain: isMain ?? false, open: flow }]
      }),
    [open, listed],
  )
  if (!open || !opened) return <Opening />
  return <WhenReady pgid={pgid} chatbot={chatbot} flows={opened} />
}

function WhenReady({ pgid, chatbot, flows }: { pgid: string; chatbot: Chatbot; flows: readonly OpenedFlow[] }) {
  const { t } = useTranslation('translations')
  const open = useMemo(() => flows.map((flow) => flow.open), [flows])
  const state = useFlowsState(open)
  if (state === 'refused')
    return (
      <ErrorCard
        screen
        title={t('failed')}
        message={t('refused')}
        action={{ label: t('retry'), onClick: () => location.reload() }}
      />
    )
  if (state === 'loading') return <Opening />
  return <TranslationsView pgid={pgid} chatbot={chatbot} flows={flows} readOnly={state === 'reads'} />
}

function Opening() {
  const { t } = useTranslation('translations')
  return (
    <div className={styles.opening} role="status" aria-label={t('opening')}>
      <LoadingState rows={8} height={44} />
    </div>
  )
}
