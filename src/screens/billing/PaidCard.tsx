import { CreditCard, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { SubscriptionView } from '../../../server/contracts/subscription'
import { failureText } from '../../api/failure'
import { useSubscriptionChanges } from '../../api/subscription'
import { formatDate, formatMoney } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { PayLink } from './ChangeDialog'
import styles from './subscription.module.css'

/** What a project pays: how much and when, what is planned, and the ways to change, pay, cancel and resume. */
export function PaidCard({
  subscription,
  planName,
}: {
  subscription: SubscriptionView
  planName: (id: string) => string
}) {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { refresh, keep, cancel, resume, portal } = useSubscriptionChanges(pgid)
  const [isCancelling, setCancelling] = useState(false)
  const { live, status, interval, addons, cents, currency, scheduled, cancel_at } = subscription
  const failure = [refresh, keep, resume, portal].find(({ error }) => error)?.error
  const price = t(interval === 'month' ? 'plans.aMonth' : 'plans.aYear', { price: formatMoney(cents, currency) })
  const bought = (all: SubscriptionView['addons']) =>
    all.map(({ name, quantity }) => `${quantity} × ${t(`names.${name}`, { defaultValue: name })}`).join(', ')
  return (
    <Card title={t('paid.title')} description={live ? price : t('paid.over')}>
      <Trouble subscription={subscription} />
      <dl className={styles.facts}>
        <dt>{t('name')}</dt>
        <dd>{planName(subscription.plan_id)}</dd>
        <dt>{t('status')}</dt>
        <dd>{t(`states.${status}`, { defaultValue: status })}</dd>
        {addons.length > 0 && <Fact label={t('tabs.addons')} value={bought(addons)} />}
        {subscription.trial_end && <Fact label={t('paid.trial')} value={formatDate(subscription.trial_end)} />}
        {subscription.next_charge_at && (
          <Fact label={t('paid.nextCharge')} value={formatDate(subscription.next_charge_at)} />
        )}
        {cancel_at && <Fact label={t('cancels')} value={formatDate(cancel_at)} />}
        {subscription.ended_at && <Fact label={t('paid.ended')} value={formatDate(subscription.ended_at)} />}
        {scheduled && (
          <Fact
            label={t('paid.scheduled', { date: formatDate(scheduled.at) })}
            value={[planName(scheduled.plan_id), bought(scheduled.addons)].filter(Boolean).join(', ')}
          />
        )}
      </dl>
      {failure && (
        <p role="alert" className={styles.problem}>
          {failureText(failure, common('errors.message'))}
        </p>
      )}
      <div className={styles.actions}>
        <Button to={`/projects/${pgid}/settings/billing/plans`} design="primary">
          {t(live ? 'paid.change' : 'paid.again')}
        </Button>
        <Button icon={<CreditCard />} loading={portal.isPending} onClick={() => portal.mutate()}>
          {t('paid.portal')}
        </Button>
        {live && scheduled && (
          <Button loading={keep.isPending} onClick={() => keep.mutate()}>
            {t('paid.keep')}
          </Button>
        )}
        {live && cancel_at && (
          <Button loading={resume.isPending} onClick={() => resume.mutate()}>
            {t('paid.resume')}
          </Button>
        )}
        {live && !cancel_at && <Button onClick={() => setCancelling(true)}>{t('paid.cancel')}</Button>}
        <Button design="ghost" icon={<RefreshCw />} loading={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('paid.refresh')}
        </Button>
      </div>
      <ConfirmDialog
        opened={isCancelling}
        danger
        title={t('paid.cancelTitle')}
        message={t('paid.cancelMessage', {
          plan: planName(subscription.plan_id),
          date: formatDate(subscription.next_charge_at ?? new Date()),
        })}
        confirm={t('paid.cancel')}
        loading={cancel.isPending}
        error={cancel.error ? failureText(cancel.error, common('errors.message')) : undefined}
        onConfirm={() => cancel.mutate(undefined, { onSuccess: () => setCancelling(false) })}
        onClose={() => setCancelling(false)}
      />
    </Card>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  )
}

/** A payment that failed, or that somebody has to confirm. */
function Trouble({ subscription }: { subscription: SubscriptionView }) {
  const { t } = useTranslation('billing')
  const { failing_since, grace_until, payment_url, waits, live } = subscription
  if (!live || (failing_since === null && !waits)) return null
  const isOver = grace_until !== null && new Date(grace_until) <= new Date()
  return (
    <div role="alert" className={styles.trouble}>
      <p>
        {failing_since === null
          ? t('payment.waits')
          : isOver
            ? t('payment.over')
            : t('payment.failed', { date: formatDate(grace_until ?? failing_since) })}
      </p>
      {payment_url && <PayLink url={payment_url} />}
    </div>
  )
}
