import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhatsappConnection, WhatsappState } from '../../../server/contracts/whatsapp'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { type ChatbotPlace, useWhatsappChanges } from '../../api/whatsapp'
import { formatDate, formatMoment, formatNumber, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'
import styles from './whatsapp.module.css'

interface ConnectedCardProps {
  place: ChatbotPlace
  connection: WhatsappConnection
  /** the version of WhatsApp's interface that is asked for */
  graph: WhatsappState['graph']
}

/** The number that is connected: whether it works in both directions, who connected it, and for how long. */
export function ConnectedCard({ place, connection, graph }: ConnectedCardProps) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const mayDisconnect = useCan('whatsapp.disconnect')
  const { check, disconnect } = useWhatsappChanges(place)
  const [asking, setAsking] = useState(false)
  const { phone_number: number, verified_name, problem, quality, connected_at, connected_by, checked_at } = connection
  const { tier, heard_at } = connection
  const people = peopleIn(tier)
  const tierText =
    people === null
      ? t('connected.tier', { tier })
      : t('connected.people', { count: people, shown: formatNumber(people) })
  return (
    <Card
      title={number}
      description={verified_name}
      actions={
        <Badge tone={problem ? 'danger' : 'success'} dot>
          {t(problem ? 'connected.broken' : 'connected.works')}
        </Badge>
      }
      footer={
        <>
          {mayDisconnect && (
            <Button design="danger" onClick={() => setAsking(true)}>
              {t('connected.disconnect')}
            </Button>
          )}
          <Button
            loading={check.isPending}
            onClick={() =>
              check.mutate(undefined, {
                onSuccess: (state) => {
                  if (state.connection?.problem === null) notify.success(t('connected.ok'))
                },
                onError: (error) => notify.error(failureText(error, common('errors.message'))),
              })
            }
          >
            {t('connected.check')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {problem && (
          <p role="alert" className={styles.alert}>
            {problem}
          </p>
        )}
        <p className={styles.note}>
          <span title={formatMoment(connected_at)}>
            {t(connected_by ? 'connected.by' : 'connected.since', {
              name: connected_by,
              when: formatSince(connected_at),
            })}
          </span>
          {' · '}
          {t('connected.looked', { when: formatSince(checked_at) })}
          {quality && ` · ${t('connected.quality', { quality: quality.toLowerCase() })}`}
          {tier && ` · ${tierText}`}
        </p>
        <p className={styles.note}>
          {heard_at === null ? t('connected.notHeard') : t('connected.heard', { when: formatSince(heard_at) })}
        </p>
        {graph.state !== 'fine' && (
          <p className={styles.warning} role="note">
            {t(graph.state === 'over' ? 'connected.versionOver' : 'connected.versionEnds', {
              version: graph.version,
              day: graph.ends_on === null ? '' : formatDate(graph.ends_on),
            })}
          </p>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        title={t('remove.title', { number })}
        message={t('remove.message')}
        confirm={t('connected.disconnect')}
        danger
        loading={disconnect.isPending}
        error={disconnect.error ? failureText(disconnect.error, common('errors.message')) : undefined}
        onConfirm={() =>
          disconnect.mutate(undefined, { onSuccess: () => notify.success(t('remove.done', { number })) })
        }
        onClose={() => setAsking(false)}
      />
    </Card>
  )
}

/** How many people a tier such as TIER_10K means; null: it says no number. */
function peopleIn(tier: string): number | null {
  const [, digits, thousands] = /^TIER_(\d{1,4})(K?)$/.exec(tier) ?? []
  return digits === undefined ? null : Number(digits) * (thousands === 'K' ? 1_000 : 1)
}
