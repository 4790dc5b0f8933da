import { Gift } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { BillingTabs } from './BillingTabs'
import { Meter } from './Meter'

/** /projects/:pgid/settings/billing/bonus-credits: what the plan gives once for all, and how much of it is used. */
export function BonusCreditsScreen() {
  const { t } = useTranslation('billing')
  const { lifetime, lifetime_used: used } = useAccount().user.usage.ai_message_credits
  return (
    <>
      <PageHeader title={t('tabs.bonus-credits')} description={t('bonus.description')} />
      <BillingTabs />
      {lifetime === 0 && used === 0 ? (
        <EmptyState icon={<Gift />} title={t('bonus.emptyTitle')} message={t('bonus.emptyMessage')} />
      ) : (
        <SettingsStack>
          <Card title={t('meters.ai_message_credits')} description={t('bonus.hint')}>
            <Meter label={t('bonus.once')} max={lifetime} used={used} />
          </Card>
        </SettingsStack>
      )}
    </>
  )
}
