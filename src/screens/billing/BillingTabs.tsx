import { useTranslation } from 'react-i18next'
import { NavLink, useParams } from 'react-router'
import { useAccount, useCan } from '../../api/account'
import styles from './billing.module.css'

const tabs = [
  ['subscription', 'billing.subscription'],
  ['usage', 'billing.usage'],
  ['plans', 'billing.plans'],
  ['addons', 'billing.addons'],
  ['bonus-credits', 'billing.bonus_credits'],
] as const

/** The screens about a project's plan, as far as the member may see them. */
export function BillingTabs() {
  const { t } = useTranslation('billing')
  // without the others, the usage stands alone
  if (!useAccount().billing) return null
  return (
    <nav className={styles.tabs} aria-label={t('tabs.label')}>
      {tabs.map(([slug, feature]) => (
        <Tab key={slug} slug={slug} feature={feature} />
      ))}
    </nav>
  )
}

function Tab({ slug, feature }: { slug: (typeof tabs)[number][0]; feature: string }) {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  if (!useCan(feature)) return null
  return <NavLink to={`/projects/${pgid}/settings/billing/${slug}`}>{t(`tabs.${slug}`)}</NavLink>
}
