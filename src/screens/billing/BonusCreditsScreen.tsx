import { Gift } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { BackToChatbot } from './BackToChatbot'
import { BillingTabs } from './BillingTabs'
import { Meter } from './Meter'

/** What a project has once for all, of its plan and of who runs Parley, and how much of it is used. */
export function BonusCreditsScreen() {
  const { t } = useTranslation('billing')
  const { usage } = useAccount().user
  const all = [
    {
      meter: 'ai_message_credits',
      max: usage.ai_message_credits.lifetime,
      used: usage.ai_message_credits.lifetime_used,
    },
    { meter: 'training_credits', max: usage.training_lifetime_credits, used: usage.training_lifetime_credits_used },
  ] as const
  const some = all.filter(({ max, used }) => max > 0 || used > 0)
  return (
    <>
      <PageHeader title={t('tabs.bonus-credits')} description={t('bonus.description')} />
      <BackToChatbot />
      <BillingTabs />
      {some.length === 0 ? (
        <EmptyState icon={<Gift />} title={t('bonus.emptyTitle')} message={t('bonus.emptyMessage')} />
      ) : (
        <SettingsStack>
          {some.map(({ meter, max, used }) => (
            <Card key={meter} title={t(`meters.${meter}`)} description={t(`bonus.hints.${meter}`)}>
              <Meter label={t('bonus.once')} max={max} used={used} />
            </Card>
          ))}
        </SettingsStack>
      )}
    </>
  )
}
