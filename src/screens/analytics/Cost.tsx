import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import type { Analytics } from '../../../server/contracts/analytics'
import { useCan } from '../../api/account'
import type { Drilled } from '../../api/analytics'
import { BarList, drawnBars } from '../../charts/BarList'
import { ChartCard } from '../../charts/ChartCard'
import { formatMoney, formatUnitPrice } from '../../i18n/format'
import styles from './analytics.module.css'

interface CostProps {
  analytics: Analytics
  onDrill: (drilled: Drilled) => void
}

/** The AI credits of the period and of the one before, and what they cost. */
export function Cost({ analytics: { detail, credit_price: price }, onDrill }: CostProps) {
  const { t } = useTranslation('analytics')
  const { pgid } = useParams()
  const maySet = useCan('project.update')
  const now = detail?.now.credits ?? null
  // of an environment or a channel credits are not known
  if (!detail || now === null) return null
  if (now === 0 && !detail.before.credits && !price) return null
  const bars = [
    { id: 'now', name: t('cost.now'), value: now, onOpen: () => onDrill({ figure: 'credits' }) },
    { id: 'before', name: t('series.before'), value: detail.before.credits ?? 0 },
  ]
  const costs = (credits: number) => (price ? [formatMoney(credits * price.price * 100, price.currency)] : [])
  return (
    <ChartCard
      title={t('cost.title')}
      drawn={() => drawnBars(t('cost.title'), bars)}
      table={{
        columns: [t('period'), t('tiles.credits'), ...(price ? [t('tiles.cost')] : [])],
        rows: bars.map(({ name, value }) => [name, value, ...costs(value)]),
        opens: bars.map(({ onOpen }) => onOpen),
      }}
    >
      <BarList bars={bars} />
      <p className={styles.cost}>
        {price
          ? t('cost.at', { cost: costs(now)[0], price: formatUnitPrice(price.price, price.currency) })
          : t('cost.unknown')}{' '}
        {maySet && <Link to={`/projects/${pgid}/settings/project/general#credit-price`}>{t('cost.set')}</Link>}
      </p>
    </ChartCard>
  )
}
