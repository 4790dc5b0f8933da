import { ArrowDown, ArrowUp, Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '../../../server/contracts/account'
import { CURRENCY } from '../../../server/contracts/billing'
import { SELF_HOSTED } from '../../api/account'
import { formatCompact, formatMoney } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import styles from './billing.module.css'

type Plan = Account['plans'][number]
type Limits = Readonly<Record<string, number>>

interface PlanColumnProps {
  plan: Plan
  limits: Limits
  period: 'month' | 'year'
  /** all that plans may have, by name */
  features: readonly string[]
  /** the project's own plan */
  present: (Plan & { limits: Limits }) | undefined
  /** the way to it */
  action?: ReactNode
}

/** One plan of the comparison: what it costs and has, with marks where it differs from the project's. */
export function PlanColumn({ plan, limits, period, features, present, action }: PlanColumnProps) {
  const { t } = useTranslation('billing')
  const isPresent = plan.id === present?.id
  const price = period === 'month' ? plan.price : plan.price_yearly
  const count = Object.keys(limits).length
  return (
    <li
      className={styles.plan}
      data-present={isPresent || undefined}
      // its lines stand beside the same lines of its neighbours
      style={{ gridRow: `span ${3 + count + features.length}` }}
    >
      <div className={styles.planHead}>
        <h2>{plan.name}</h2>
        {isPresent && <Badge tone="accent">{t('plans.present')}</Badge>}
      </div>
      <p className={styles.price}>
        {plan.price === 0
          ? t('plans.free')
          : t(period === 'month' ? 'plans.aMonth' : 'plans.aYear', {
              price: formatMoney(Math.round(price * 100), CURRENCY),
            })}
      </p>
      <div className={styles.action}>{action}</div>
      <ul
        className={styles.rows}
        style={{ gridRow: `span ${count}` }}
        aria-label={t('plans.limits', { plan: plan.name })}
      >
        {Object.entries(limits).map(([limit, value]) => (
          <li key={limit}>
            <span>{t(`limits.${limit}`)}</span>
            <strong>{value > 0 && plan.id === SELF_HOSTED ? t('plans.unlimited') : formatCompact(value)}</strong>
            <Difference by={isPresent ? 0 : value - (present?.limits[limit] ?? value)} />
          </li>
        ))}
      </ul>
      <ul
        className={styles.rows}
        style={{ gridRow: `span ${features.length}` }}
        aria-label={t('plans.features', { plan: plan.name })}
      >
        {features.map((feature) => {
          const has = plan.features_list.includes(feature)
          const had = present?.features_list.includes(feature) ?? has
          return (
            <li key={feature} data-missing={!has || undefined}>
              <span>{t(`features.${feature}`, { defaultValue: feature })}</span>
              {has ? (
                <Check size={15} aria-label={t('plans.has')} />
              ) : (
                <Minus size={15} aria-label={t('plans.hasNot')} />
              )}
              <Difference by={Number(has) - Number(had)} />
            </li>
          )
        })}
      </ul>
    </li>
  )
}

/** Whether there is more or less of something than in the project's plan. */
function Difference({ by }: { by: number }) {
  const { t } = useTranslation('billing')
  if (by === 0) return <span />
  const Arrow = by > 0 ? ArrowUp : ArrowDown
  return (
    <span className={styles.difference} data-more={by > 0 || undefined}>
      <Arrow size={14} aria-label={t(by > 0 ? 'plans.more' : 'plans.less')} />
    </span>
  )
}
