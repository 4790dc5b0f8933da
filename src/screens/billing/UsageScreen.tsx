import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { refreshAccount, useAccount, useUnlimited } from '../../api/account'
import { failureText } from '../../api/failure'
import { usageHistoryQuery } from '../../api/usage'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { BillingTabs } from './BillingTabs'
import { Meter } from './Meter'
import { MonthlyCard } from './MonthlyCard'
import { OverageCard } from './OverageCard'
import { StayCards } from './StayCard'
import styles from './subscription.module.css'

/** What is counted as it is now: it has no months. */
const present = ['chatbots', 'seats', 'custom_domains'] as const

/** /projects/:pgid/settings/billing/usage: what a project uses, by the month, and what for. */
export function UsageScreen() {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { usage } = useAccount().user
  const isUnlimited = useUnlimited()
  const { data, error, refetch } = useQuery(usageHistoryQuery(pgid))
  useEffect(() => void refreshAccount(), [])
  return (
    <>
      <PageHeader title={t('usage')} description={t('history.description')} />
      <BillingTabs />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={4} height={220} />
      ) : (
        <SettingsStack>
          <StayCards />
          <OverageCard />
          {data.map((history) => (
            <MonthlyCard
              key={history.meter}
              history={history}
              once={history.max - usage[history.meter].max}
              isUnlimited={isUnlimited}
            />
          ))}
          <Card title={t('history.present')} description={t('history.presentHint')}>
            <ul className={styles.meters}>
              {present.map((meter) => (
                <li key={meter}>
                  <Meter
                    label={t(`meters.${meter}`)}
                    max={isUnlimited ? null : usage[meter].max}
                    used={usage[meter].used}
                  />
                </li>
              ))}
            </ul>
          </Card>
        </SettingsStack>
      )}
    </>
  )
}
