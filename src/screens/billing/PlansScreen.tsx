import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { SELF_HOSTED, useAccount } from '../../api/account'
import { useSeller } from '../../api/subscription'
import { PageHeader } from '../../ui/PageHeader'
import { Segmented } from '../../ui/Segmented'
import { BackToChatbot } from './BackToChatbot'
import { BillingTabs } from './BillingTabs'
import styles from './billing.module.css'
import { PlanAction } from './PlanAction'
import { PlanColumn } from './PlanColumn'
import { WhoChanges } from './WhoChanges'

/** /projects/:pgid/settings/billing/plans: the plans beside each other, and how each differs from the project's. */
export function PlansScreen() {
  const { t } = useTranslation('billing')
  const [period, setPeriod] = useState<'month' | 'year'>('month')
  const { plans, plans_detail: details, user } = useAccount()
  const { pgid = '' } = useParams()
  const { sells, subscription } = useSeller(pgid)
  const present = plans.find(({ id }) => id === user.subscription.plan_id) ?? plans[0]
  // where plans are sold, what self-hosters have is none of them
  const shown = plans.filter(({ id }) => !sells || id !== SELF_HOSTED || id === present?.id)
  // the largest plan names all there is
  const features = plans.reduce<string[]>(
    (most, { features_list }) => (features_list.length > most.length ? features_list : most),
    [],
  )
  return (
    <>
      <PageHeader
        title={t('tabs.plans')}
        description={t('plans.description')}
        actions={
          <Segmented
            label={t('plans.period')}
            value={period}
            onChange={setPeriod}
            options={(['month', 'year'] as const).map((value) => ({ value, label: t(`plans.${value}`) }))}
          />
        }
      />
      <BillingTabs />
      <WhoChanges />
      <BackToChatbot />
      {subscription?.live && (subscription.scheduled || subscription.cancel_at) && (
        <p className={styles.who} role="note">
          {t('plans.barred')}
        </p>
      )}
      <ul className={styles.plans} data-columns={shown.length} aria-label={t('tabs.plans')}>
        {shown.map((plan) => (
          <PlanColumn
            key={plan.id}
            {...{ plan, period, features }}
            action={sells && <PlanAction {...{ plan, period, subscription }} />}
            limits={details[plan.id]?.limits ?? {}}
            present={present && { ...present, limits: details[present.id]?.limits ?? {} }}
          />
        ))}
      </ul>
    </>
  )
}
