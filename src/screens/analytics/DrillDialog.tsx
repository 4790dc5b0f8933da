import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AnalyticsFilter, DrilledConversation } from '../../../server/contracts/analytics'
import { type Drilled, drilledQuery } from '../../api/analytics'
import { failureText } from '../../api/failure'
import { formatMoment, languageName } from '../../i18n/format'
import { Badge, type BadgeTone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal } from '../../ui/Modal'
import styles from './analytics.module.css'

const tones: Record<DrilledConversation['outcome'], BadgeTone> = {
  resolved_bot: 'success',
  resolved_person: 'accent',
  unresolved: 'warning',
  silent: 'neutral',
}

/** The conversations that a figure counts. */
export function DrillDialog({
  pgid,
  filter,
  drilled,
  onClose,
}: {
  pgid: string
  filter: AnalyticsFilter
  drilled: Drilled
  onClose: () => void
}) {
  const { t } = useTranslation('analytics')
  const { t: common } = useTranslation()
  const query = useInfiniteQuery(drilledQuery(pgid, filter, drilled))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const conversations = data?.pages.flatMap((page) => page.conversations)
  const about =
    drilled.about ??
    drilled.agent?.name ??
    drilled.wording ??
    drilled.page ??
    (drilled.language ? languageName(drilled.language) : null)
  return (
    <Modal opened onClose={onClose} size="lg" title={t(`drill.${drilled.figure}`)}>
      {about && <p className={styles.drillAbout}>{about}</p>}
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !conversations ? (
        <LoadingState rows={4} height={44} />
      ) : conversations.length === 0 ? (
        <p className={styles.nothing}>{t('drill.none')}</p>
      ) : (
        <ul className={styles.drilled}>
          {conversations.map(({ gid, chatbot, started_at, outcome, rating, messages }) => (
            <li key={gid}>
              <Link to={`/projects/${pgid}/chatbots/${chatbot.gid}/conversations/${gid}`}>
                {formatMoment(started_at)}
              </Link>
              <span className={styles.drillFacts}>
                {!filter.chatbot && <span>{chatbot.name}</span>}
                <span>{t('drill.messages', { count: messages })}</span>
                {rating !== null && <span>{t('tiles.of5', { average: rating })}</span>}
                <Badge tone={tones[outcome]}>{t(`outcomes.${outcome}`)}</Badge>
              </span>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('drill.more')}
        </Button>
      )}
    </Modal>
  )
}
