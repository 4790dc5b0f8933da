import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useAccount, useCan } from '../api/account'
import { billingAddons, billingPlans } from '../api/billingPlaces'
import { Button } from '../ui/Button'
import styles from './UpgradeBanner.module.css'

interface UpgradeBannerProps {
  /** an add-on gives it as well */
  addon?: boolean
  /** what the plan lacks; left out: the sentence of SPEC.md 2 */
  children?: ReactNode
}

/**
 * Says that the plan lacks what stands here, and leads to plans and add-ons who may see them, where the installation
 * has some (SPEC.md 2).
 */
export function UpgradeBanner({ addon = false, children }: UpgradeBannerProps) {
  const { t } = useTranslation()
  const { pgid = '', cgid } = useParams()
  const { billing } = useAccount()
  const seesPlans = useCan('billing.plans')
  const seesAddons = useCan('billing.addons')
  return (
    <div className={styles.banner} role="note">
      <Lock size={15} aria-hidden />
      <div className={styles.words}>{children ?? <p>{t('upgrade.text')}</p>}</div>
      {billing && addon && seesAddons && (
        <Button size="s" to={billingAddons(pgid, cgid)}>
          {t('upgrade.addons')}
        </Button>
      )}
      {billing && seesPlans && (
        <Button size="s" design="primary" to={billingPlans(pgid, cgid)}>
          {t('upgrade.upgrade')}
        </Button>
      )}
    </div>
  )
}
