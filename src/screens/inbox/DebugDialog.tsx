import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Workflow, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '../../../engine/values/json'
import { correctMessage, type InboxConversation, type InboxMessage } from '../../../server/contracts/inbox'
import { DebugCard } from '../../answers/DebugCard'
import { FixDialog } from '../../answers/FixDialog'
import { useCan } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import type { FixSource } from '../../api/fixAnswer'
import { inboxDebugQuery, refreshConversation } from '../../api/inbox'
import { formatNumber } from '../../i18n/format'
import { JsonView } from '../../preview/JsonView'
import { recordIn } from '../../preview/recordIn'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'

interface DebugDialogProps {
  conversation: InboxConversation
  message: Pick<InboxMessage, 'of' | 'seq'>
  onClose: () => void
}

/** How one of the bot's messages came about: its block, the calls of its turn, the variables after it. */
export function DebugDialog({ conversation, message: { of, seq }, onClose }: DebugDialogProps) {
  const { t } = useTranslation('inbox')
  const { t: kinds } = useTranslation('blocks')
  const { pgid } = useInboxPlace()
  const { data, error, refetch } = useQuery(inboxDebugQuery(pgid, of ?? conversation.gid, seq))
  const mayBuild = useCan('builder.view')
  const rights = [useCan('knowledge_base.create'), useCan('instructions.update'), useCan('conversations.update')]
  const mayFix = rights.every(Boolean) && data?.from_sources === true && data.question !== null
  const [fixes, setFixes] = useState(false)
  const client = useQueryClient()
  const mark = async ({ gid: source }: FixSource) => {
    onClose()
    const params = { pgid, conversation: of ?? conversation.gid, seq }
    try {
      await callRoute(correctMessage, { params, body: { source } })
      await refreshConversation(client, pgid, conversation.gid)
    } catch (failure) {
      notify.error(failureText(failure, t('failed')))
    }
  }
  if (fixes && data)
    return (
      <FixDialog
        pgid={pgid}
        cgid={conversation.chatbot.gid}
        exchange={{ question: data.question ?? '', text: data.text ?? '' }}
        onFixed={(_question, source) => void mark(source)}
        onClose={() => setFixes(false)}
      />
    )
  return (
    <Modal opened onClose={onClose} title={t('debug.title')} size="lg">
      {error ? (
        <ErrorCard
          message={error.message ? failureText(error, t('failed')) : t('failed')}
          action={{ label: t('again'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={3} />
      ) : (
        <div className={styles.debug}>
          <dl>
            <dt>{t('debug.block')}</dt>
            <dd>
              {data.block ? kinds(`${data.block.kind}.title`, { defaultValue: data.block.kind }) : t('debug.unknown')}
              {data.block?.group && <span> · {data.block.group}</span>}
            </dd>
            <dt>{t('debug.turn')}</dt>
            <dd>{t('debug.turnOf', { turn: formatNumber(data.turn + 1), run: formatNumber(data.run) })}</dd>
            {data.took !== null && (
              <>
                <dt>{t('debug.took')}</dt>
                <dd>{t('took', { ms: formatNumber(data.took) })}</dd>
              </>
            )}
          </dl>
          {data.notes.length > 0 && (
            <ul>
              {data.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          {data.calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a turn never change
            <CallRecord key={index} {...call} />
          ))}
          {data.variables.length > 0 && (
            <section aria-label={t('debug.variables')}>
              <h3>{t('debug.variables')}</h3>
              {data.variables.map(({ name, value }) => (
                <JsonView key={name} label={name} value={value as Json} />
              ))}
            </section>
          )}
          {mayFix && (
            <Button design="primary" icon={<Wrench size={14} />} onClick={() => setFixes(true)}>
              {t('debug.fix')}
            </Button>
          )}
          {mayBuild && (
            <Button
              icon={<Workflow size={14} />}
              to={`/projects/${pgid}/chatbots/${conversation.chatbot.gid}/builder${data.block ? placeIn(data.block) : ''}`}
            >
              {t('debug.builder')}
            </Button>
          )}
        </div>
      )}
    </Modal>
  )
}

/** A call of the turn: of an AI answer with its passages, model, cost and actions, of any other as it was. */
function CallRecord({ service, request, result }: { service: string; request: unknown; result: unknown }) {
  const { t } = useTranslation('inbox')
  const debug = recordIn(result as Json)
  return (
    <section aria-label={service}>
      <h3>{service}</h3>
      {debug && <DebugCard answer={{ debug, citations: [] }} />}
      <JsonView label={t('debug.request')} value={request as Json} />
      <JsonView label={t('debug.result')} value={result as Json} open={debug === null} />
    </section>
  )
}

/** The block's place for the builder's address. */
const placeIn = ({ flow, id }: { flow: string | null; id: string }): string =>
  `?${new URLSearchParams({ ...(flow !== null && { flow }), block: id })}`
