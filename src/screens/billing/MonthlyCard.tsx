import { VisuallyHidden } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { UsageHistory } from '../../../server/contracts/usage'
import { formatCompact, formatDate, formatMonth, formatNumber, formatShare } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { Meter } from './Meter'
import styles from './usage.module.css'

interface MonthlyCardProps {
  history: UsageHistory
  /** how many of what may be used come by no month */
  once: number
  isUnlimited: boolean
}

/** A meter that counts by the month: what it comes to, its months, and what it was used for. */
export function MonthlyCard({ history, once, isUnlimited }: MonthlyCardProps) {
  const { t } = useTranslation('billing')
  const { meter, max, used, months, who } = history
  const most = Math.max(...months.map((month) => month.used))
  return (
    <Card title={t(`meters.${meter}`)} description={t(`history.about.${meter}`)}>
      <div className={styles.parts}>
        <div>
          <Meter label={t('history.thisMonth')} max={isUnlimited ? null : max} used={used} />
          {once > 0 && !isUnlimited && <p className={styles.hint}>{t('history.once', { once: formatNumber(once) })}</p>}
          <p className={styles.hint}>{forecastText(t, history, isUnlimited)}</p>
        </div>
        {most === 0 && <p className={styles.hint}>{t('history.empty')}</p>}
        <ol className={styles.months} aria-label={t('history.months')} hidden={most === 0}>
          {months.map(({ month, used }) => (
            <li key={month}>
              <span className={styles.count} aria-hidden>
                {used === 0 ? '' : formatCompact(used)}
              </span>
              <span className={styles.track} aria-hidden>
                <span className={styles.bar} style={{ height: `${(used / most) * 100}%` }} />
              </span>
              <span aria-hidden>{formatMonth(month, 'short')}</span>
              <VisuallyHidden>
                {t('history.month', { month: formatMonth(month, 'long'), used: formatNumber(used) })}
              </VisuallyHidden>
            </li>
          ))}
        </ol>
        {used > 0 && <UsedFor history={history} />}
        {who && used > 0 && (
          <p className={styles.hint}>
            {t('history.who', { visitors: formatNumber(who.visitors), members: formatNumber(who.members) })}
          </p>
        )}
      </div>
    </Card>
  )
}

function forecastText(t: TFunction<'billing'>, { forecast, runs_out, used, max }: UsageHistory, isUnlimited: boolean) {
  if (!isUnlimited && used >= max) return t(max === 0 ? 'history.none' : 'history.usedUp')
  if (used === 0) return null
  if (forecast === null) return t('history.tooEarly')
  const byEnd = formatNumber(Math.round(forecast))
  if (runs_out !== null && !isUnlimited) return t('history.runsOut', { byEnd, date: formatDate(runs_out) })
  return t('history.forecast', { byEnd })
}

/** Names of what mails were for, and of how syncs began; chatbots and sources have their own. */
const named = ['email_credits', 'resync_credits']

function UsedFor({ history: { meter, parts, others, used } }: { history: UsageHistory }) {
  const { t } = useTranslation('billing')
  const nameOf = (name: string | null) =>
    name === null
      ? t('history.deleted')
      : named.includes(meter)
        ? t(`history.names.${name}`, { defaultValue: name })
        : name
  const rows = [
    ...parts.map((part) => ({ key: part.name ?? ' deleted', name: nameOf(part.name), used: part.used })),
    ...(others > 0 ? [{ key: ' others', name: t('history.others'), used: others }] : []),
  ]
  return (
    <table className={styles.table}>
      <caption>{t('history.parts')}</caption>
      <thead>
        <tr>
          <th scope="col">{t(`history.of.${meter}`)}</th>
          <th scope="col">{t('history.used')}</th>
          <th scope="col">{t('history.share')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.name}</th>
            <td>{formatNumber(row.used)}</td>
            <td>{formatShare(row.used, used)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
