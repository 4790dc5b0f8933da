import { useTranslation } from 'react-i18next'
import type { Analytics, Figures } from '../../server/contracts/analytics'
import type { CreditPrice } from '../../server/contracts/creditPrice'
import type { Drilled } from '../api/analytics'
import { formatMoney, formatNumber, formatShare, formatUnitPrice } from '../i18n/format'
import { averageOf, durationOf, NONE, type Translate } from './averages'
import styles from './tiles.module.css'

interface Tile {
  name: string
  value: string
  /** what is compared: null where there is nothing to compare */
  now: number | null
  before: number | null
  hint?: string
  /** fewer is better */
  falling?: boolean
  drilled?: Drilled
}

interface TilesProps {
  analytics: Analytics
  /** shows the first ones alone */
  most?: number
  onDrill: (drilled: Drilled) => void
}

/** The figures themselves, with their change since the period before. */
export function Tiles({ analytics, most, onDrill }: TilesProps) {
  const { t } = useTranslation('analytics')
  const { now, before, detail, credit_price: price } = analytics
  const tiles: Tile[] = [
    {
      name: t('tiles.conversations'),
      value: formatNumber(now.conversations),
      ...compare(now.conversations, before.conversations),
      ...(detail && { drilled: { figure: 'conversations' } }),
    },
    {
      name: t('tiles.visitors'),
      value: formatNumber(now.visitors),
      ...compare(now.visitors, before.visitors),
      ...(detail && { drilled: { figure: 'visitors' } }),
    },
    {
      name: t('tiles.messages'),
      value: formatNumber(now.messages),
      ...compare(now.messages, before.messages),
      ...(detail && { drilled: { figure: 'messages' } }),
    },
    ...(detail ? detailTiles(detail.now, detail.before, t) : []),
    ...(detail && price ? costTile(detail.now, detail.before, price, t) : []),
  ]
  return (
    <ul className={styles.tiles} aria-label={t('figures')}>
      {tiles.slice(0, most).map(({ name, value, now: current, before: earlier, hint, falling = false, drilled }) => (
        <li key={name} className={styles.tile}>
          {drilled ? (
            <button type="button" className={styles.tileName} onClick={() => onDrill(drilled)}>
              {name}
            </button>
          ) : (
            <span className={styles.tileName}>{name}</span>
          )}
          <strong className={styles.tileValue}>{value}</strong>
          <span className={styles.tileFoot}>
            <Change now={current} before={earlier} falling={falling} />
            {hint && <span>{hint}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

const compare = (now: number | null, before: number | null) => ({ now, before })
const part = averageOf

function detailTiles(now: Figures, before: Figures, t: Translate): Tile[] {
  const talked = (of: Figures) => of.conversations - of.silent
  const resolved = (of: Figures) => part(of.resolved_bot + of.resolved_person, talked(of))
  const waited = (of: Figures) => part(of.answer_seconds, of.person_answered)
  const rating = (of: Figures) => part(of.rating_sum, of.rated)
  const found = (of: Figures) => part(of.answered, of.questions)
  const share = (value: number | null) => (value === null ? NONE : formatShare(value, 1))
  const average = rating(now)
  return [
    {
      name: t('tiles.resolvedBot'),
      value: share(part(now.resolved_bot, talked(now))),
      ...compare(part(now.resolved_bot, talked(now)), part(before.resolved_bot, talked(before))),
      hint: t('tiles.resolvedAll', { share: share(resolved(now)) }),
      drilled: { figure: 'resolved_bot' },
    },
    {
      name: t('tiles.unresolved'),
      value: formatNumber(now.unresolved),
      ...compare(now.unresolved, before.unresolved),
      falling: true,
      drilled: { figure: 'unresolved' },
    },
    {
      name: t('tiles.handedOver'),
      value: formatNumber(now.handed_over),
      ...compare(now.handed_over, before.handed_over),
      falling: true,
      drilled: { figure: 'handed_over' },
    },
    {
      name: t('tiles.firstAnswer'),
      value: durationOf(waited(now), t),
      ...compare(waited(now), waited(before)),
      falling: true,
      drilled: { figure: 'person_answered' },
    },
    {
      name: t('tiles.rating'),
      value: average === null ? NONE : t('tiles.of5', { average: formatNumber(Math.round(average * 10) / 10) }),
      ...compare(average, rating(before)),
      hint: t('tiles.ratings', { count: now.rated }),
      drilled: { figure: 'rated' },
    },
    {
      name: t('tiles.saidResolved'),
      value: share(part(now.said_resolved, now.said_resolved + now.said_unresolved)),
      ...compare(
        part(now.said_resolved, now.said_resolved + now.said_unresolved),
        part(before.said_resolved, before.said_resolved + before.said_unresolved),
      ),
      hint: t('tiles.asked', { count: now.said_resolved + now.said_unresolved }),
      drilled: { figure: 'said_resolved' },
    },
    {
      name: t('tiles.answered'),
      value: share(found(now)),
      ...compare(found(now), found(before)),
      hint: t('tiles.questions', { count: now.questions }),
      drilled: { figure: 'questions' },
    },
    {
      name: t('tiles.helpful'),
      value: share(part(now.helpful, now.helpful + now.unhelpful)),
      ...compare(
        part(now.helpful, now.helpful + now.unhelpful),
        part(before.helpful, before.helpful + before.unhelpful),
      ),
      hint: t('tiles.votes', { count: now.helpful + now.unhelpful }),
      drilled: { figure: 'helpful' },
    },
    {
      name: t('tiles.returning'),
      value: formatNumber(now.returning_visitors),
      ...compare(now.returning_visitors, before.returning_visitors),
      drilled: { figure: 'returning_visitors' },
    },
    {
      name: t('tiles.leads'),
      value: formatNumber(now.leads),
      ...compare(now.leads, before.leads),
      drilled: { figure: 'leads' },
    },
    ...(now.credits === null
      ? []
      : [
          {
            name: t('tiles.credits'),
            value: formatNumber(now.credits),
            ...compare(now.credits, before.credits),
            drilled: { figure: 'credits' as const },
          },
        ]),
  ]
}

/** Of an environment or a channel credits are not known. */
function costTile({ credits }: Figures, before: Figures, { price, currency }: CreditPrice, t: Translate): Tile[] {
  if (credits === null) return []
  return [
    {
      name: t('tiles.cost'),
      value: formatMoney(credits * price * 100, currency),
      ...compare(credits, before.credits),
      falling: true,
      hint: t('tiles.creditAt', { price: formatUnitPrice(price, currency) }),
      drilled: { figure: 'credits' },
    },
  ]
}

/** By how much it has changed, in words for who does not see the colour. */
function Change({ now, before, falling }: { now: number | null; before: number | null; falling: boolean }) {
  const { t } = useTranslation('analytics')
  if (now === null || before === null || before === 0) return null
  const change = now / before - 1
  if (Math.abs(change) < 0.005) return <span>{t('change.same')}</span>
  const tone = change > 0 === falling ? 'worse' : 'better'
  return (
    <span className={styles.change} data-tone={tone}>
      {t(change > 0 ? 'change.more' : 'change.less', { share: formatShare(Math.abs(change), 1) })}
    </span>
  )
}
