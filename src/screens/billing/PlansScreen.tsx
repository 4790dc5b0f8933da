import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import { PageHeader } from '../../ui/PageHeader'
import { Segmented } from '../../ui/Segmented'
import { BackToChatbot } from './BackToChatbot'
import { BillingTabs } from './BillingTabs'
import styles from './billing.module.css'
import { PlanColumn } from './PlanColumn'
import { WhoChanges } from './WhoChanges'

/** /projects/:pgid/settings/billing/plans: the plans beside each other, and how each differs from the project's. */
export function PlansScreen() {
  const { t } = useTranslation('billing')
  const [period, setPeriod] = useState<'month' | 'year'>('month')
  const { plans, plans_detail: details, user } = useAccount()
  const present = plans.find(({ id }) => id === user.subscription.plan_id) ?? plans[0]
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
      <ul className={styles.plans} data-columns={plans.length} aria-label={t('tabs.plans')}>
        {plans.map((plan) => (
          <PlanColumn
            key={plan.id}
            {...{ plan, period, features }}
            limits={details[plan.id]?.limits ?? {}}
            present={present && { ...present, limits: details[present.id]?.limits ?? {} }}
          />
        ))}
      </ul>
    </>
  )
}
