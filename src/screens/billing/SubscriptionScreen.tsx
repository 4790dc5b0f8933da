import { Check } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Usage } from '../../../server/contracts/account'
import { CURRENCY } from '../../../server/contracts/billing'
import { refreshAccount, useAccount, useUnlimited } from '../../api/account'
import { useSeller } from '../../api/subscription'
import { formatDate, formatMoney } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { BillingTabs } from './BillingTabs'
import { InvoicesCard } from './InvoicesCard'
import { Meter } from './Meter'
import { PaidCard } from './PaidCard'
import styles from './subscription.module.css'
import { useReturnFromPaying } from './useReturnFromPaying'
import { WhoChanges } from './WhoChanges'

/** What is metered, in the order of the plans' table; a plan without any of it has no line for it. */
const meters = [
  'ai_message_credits',
  'training_credits',
  'chatbots',
  'seats',
  'email_credits',
  'resync_credits',
  'speech_to_text_seconds',
  'custom_domains',
] as const satisfies (keyof Usage)[]

/** A project's plan: what it costs, what it includes, and how much of it is used up. */
export function SubscriptionScreen() {
  const { t } = useTranslation('billing')
  const { plans, user } = useAccount()
  const { subscription, usage } = user
  const { pgid = '' } = useParams()
  const { sells, subscription: paid } = useSeller(pgid)
  useReturnFromPaying()
  const unlimited = useUnlimited()
  // credits are used up by visitors, of which the page hears nothing
  useEffect(() => void refreshAccount(), [])
  const { name, subscription_price: price, status, cancels_at, end_date, features_list } = subscription
  // the card of what is paid says it, unless the plan is another one: it has ended, or was not paid for too long
  const isSaid = paid?.live === true && paid.plan_id === subscription.plan_id
  return (
    <>
      <PageHeader title={t('title')} />
      <BillingTabs />
      <WhoChanges />
      <SettingsStack>
        {paid && <PaidCard subscription={paid} planName={(id) => plans.find((plan) => plan.id === id)?.name ?? id} />}
        {!isSaid && (
          <Card
            title={t('plan')}
            description={
              price === 0 ? t('free') : t('priced', { price: formatMoney(Math.round(price * 100), CURRENCY) })
            }
          >
            <dl className={styles.facts}>
              <dt>{t('name')}</dt>
              <dd>{name}</dd>
              <dt>{t('status')}</dt>
              <dd>{t(`states.${status}`, { defaultValue: status })}</dd>
              {cancels_at !== null && (
                <>
                  <dt>{t('cancels')}</dt>
                  <dd>{formatDate(cancels_at)}</dd>
                </>
              )}
              {end_date !== null && (
                <>
                  <dt>{t('ends')}</dt>
                  <dd>{formatDate(end_date)}</dd>
                </>
              )}
            </dl>
          </Card>
        )}
        {sells && <InvoicesCard />}
        <Card title={t('usage')} description={t('usageHint')}>
          <ul className={styles.meters}>
            {meters.flatMap((meter) => {
              const { max, used } = usage[meter]
              const bound = unlimited ? null : max
              if (max === 0) return []
              return (
                <li key={meter}>
                  <Meter label={t(`meters.${meter}`)} max={bound} used={used} />
                </li>
              )
            })}
          </ul>
        </Card>
        <Card title={t('includes')}>
          <ul className={styles.features}>
            {features_list.map((feature) => (
              <li key={feature}>
                <Check size={15} aria-hidden />
                {feature}
              </li>
            ))}
          </ul>
        </Card>
      </SettingsStack>
    </>
  )
}
