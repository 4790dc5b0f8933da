import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type AddonView, CURRENCY } from '../../../server/contracts/billing'
import { failureText } from '../../api/failure'
import { useSeller } from '../../api/subscription'
import { entitlementsQuery } from '../../api/usage'
import { formatCompact, formatMoney, formatNumber } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { AddonQuantity } from './AddonQuantity'
import { BackToChatbot } from './BackToChatbot'
import { BillingTabs } from './BillingTabs'
import usage from './usage.module.css'
import { WhoChanges } from './WhoChanges'

/** /projects/:pgid/settings/billing/addons: what was bought besides the plan, and what both come to. */
export function AddonsScreen() {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { data, error, refetch } = useQuery(entitlementsQuery(pgid))
  const { sells, subscription } = useSeller(pgid)
  const quantityKey = JSON.stringify([subscription?.addons, subscription?.scheduled])
  return (
    <>
      <PageHeader title={t('tabs.addons')} description={t('addons.description')} />
      <BillingTabs />
      <WhoChanges />
      <BackToChatbot />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={2} height={260} />
      ) : (
        <SettingsStack>
          <Card title={t('addons.all')} description={sells && !subscription?.live ? t('addons.needsPlan') : undefined}>
            <table className={usage.table}>
              <thead>
                <tr>
                  {(['addon', 'each', 'price', 'quantity'] as const).map((column) => (
                    <th key={column} scope="col" className={column === 'each' ? usage.wide : undefined}>
                      {t(`addons.${column}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.addons.map((addon) => (
                  <tr key={addon.id}>
                    <th scope="row">
                      {t(`names.${addon.name}`, { defaultValue: addon.name })}
                      <span className={usage.below}>
                        <Adds addon={addon} />
                      </span>
                    </th>
                    <td className={usage.wide}>
                      <Adds addon={addon} />
                    </td>
                    <td>{t('plans.aMonth', { price: formatMoney(addon.price * 100, CURRENCY) })}</td>
                    <td>
                      {subscription?.live ? (
                        // begins anew with what is there after a change
                        <AddonQuantity key={quantityKey} {...{ addon, subscription }} />
                      ) : (
                        formatNumber(addon.quantity)
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
          <Card title={t('addons.total')} description={t('addons.totalHint', { plan: data.plan })}>
            <table className={usage.table}>
              <thead>
                <tr>
                  {(['limit', 'ofPlan', 'ofAddons', 'inAll'] as const).map((column) => (
                    <th key={column} scope="col">
                      {t(`addons.${column}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.limits.map(({ limit, plan, total }) => (
                  <tr key={limit}>
                    <th scope="row">{t(`limits.${limit}`)}</th>
                    <td className={usage.number}>{formatCompact(plan)}</td>
                    <td className={usage.number}>{formatCompact(total - plan)}</td>
                    <td className={usage.number}>{formatCompact(total)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
        </SettingsStack>
      )}
    </>
  )
}

/** What one of an add-on adds; where that is a number of something, that it may be used goes without saying. */
function Adds({ addon: { adds, feature } }: { addon: AddonView }) {
  const { t } = useTranslation('billing')
  const parts = Object.entries(adds).map(([limit, amount]) => `${t(`limits.${limit}`)}: +${formatCompact(amount)}`)
  if (parts.length === 0 && feature) return <>{t(`features.${feature}`, { defaultValue: feature })}</>
  return <>{parts.join(', ')}</>
}
