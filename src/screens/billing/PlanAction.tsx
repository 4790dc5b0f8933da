import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Account } from '../../../server/contracts/account'
import type { SubscriptionView } from '../../../server/contracts/subscription'
import { failureText } from '../../api/failure'
import { useSubscriptionChanges } from '../../api/subscription'
import { formatDate } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ChangeDialog } from './ChangeDialog'
import styles from './subscription.module.css'

type Period = 'month' | 'year'
interface PlanActionProps {
  plan: Account['plans'][number]
  period: Period
  subscription: SubscriptionView | null
}

/** Plans that are sold; the free one is what is left without any. */
const sold = ['starter', 'growth', 'business'] as const
const isSold = (id: string): id is (typeof sold)[number] => (sold as readonly string[]).includes(id)

/** The button by which a plan is bought, or changed to. */
export function PlanAction({ plan, period, subscription }: PlanActionProps) {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  if (!subscription?.live) return isSold(plan.id) ? <Subscribe id={plan.id} name={plan.name} period={period} /> : null
  const { scheduled } = subscription
  if (scheduled?.plan_id === plan.id && scheduled.interval === period)
    return <Badge tone="warning">{t('plans.from', { date: formatDate(scheduled.at) })}</Badge>
  if (plan.id === 'free')
    return (
      <Button wide to={`/projects/${pgid}/settings/billing/subscription`}>
        {t('plans.toFree')}
      </Button>
    )
  return isSold(plan.id) ? <Change id={plan.id} name={plan.name} {...{ period, subscription }} /> : null
}

function Subscribe({ id, name, period }: { id: (typeof sold)[number]; name: string; period: Period }) {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { checkout } = useSubscriptionChanges(pgid)
  return (
    <>
      <Button
        wide
        design="primary"
        loading={checkout.isPending}
        aria-label={t('plans.subscribeTo', { name })}
        onClick={() => checkout.mutate({ plan_id: id, interval: period })}
      >
        {t('plans.subscribe')}
      </Button>
      {checkout.error && (
        <p role="alert" className={styles.problem}>
          {failureText(checkout.error, common('errors.message'))}
        </p>
      )}
    </>
  )
}

interface ChangeProps {
  id: (typeof sold)[number]
  name: string
  period: Period
  subscription: SubscriptionView
}

function Change({ id, name, period, subscription }: ChangeProps) {
  const { t } = useTranslation('billing')
  const [isAsking, setAsking] = useState(false)
  const { plan_id: present, interval, scheduled, cancel_at } = subscription
  const isSame = present === id
  if (isSame && interval === period) return null
  const isMore = isSame ? period === 'year' : sold.indexOf(id) > (sold as readonly string[]).indexOf(present)
  // the server refuses both: the screen of the subscription says how they become possible
  const isBarred = cancel_at !== null || (isMore && scheduled !== null)
  const [label, labelTo] = isSame
    ? ([`plans.payBy.${period}`, `plans.payByTo.${period}`] as const)
    : isMore
      ? (['plans.upgrade', 'plans.upgradeTo'] as const)
      : (['plans.downgrade', 'plans.downgradeTo'] as const)
  return (
    <>
      <Button
        wide
        design={isMore ? 'primary' : 'secondary'}
        disabled={isBarred}
        title={isBarred ? t('plans.barred') : undefined}
        aria-label={t(labelTo, { name })}
        onClick={() => setAsking(true)}
      >
        {t(label)}
      </Button>
      {isAsking && (
        <ChangeDialog
          change={{ plan_id: id, interval: period }}
          title={t('change.title', { name })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
