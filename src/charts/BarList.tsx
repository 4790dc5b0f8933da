import { formatNumber, formatShare } from '../i18n/format'
import { barsSvg } from './barsSvg'
import styles from './charts.module.css'

export interface Bar {
  id: string
  name: string
  value: number
  /** opens what it counts */
  onOpen?: () => void
  /** instead of the share */
  note?: string | undefined
}

/** Shares of a whole as bars with their numbers, largest first. @param whole what 100 % is; default: the largest */
export function BarList({ bars, whole }: { bars: readonly Bar[]; whole?: number }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul className={styles.bars}>
      {bars.map(({ id, name, value, onOpen, note }) => (
        <li key={id} className={styles.bar}>
          <span className={styles.fill} style={{ inlineSize: `${(value / most) * 100}%` }} aria-hidden />
          {onOpen ? (
            <button type="button" className={styles.barName} onClick={onOpen}>
              {name}
            </button>
          ) : (
            <span className={styles.barName}>{name}</span>
          )}
          <span className={styles.barValue}>{formatNumber(value)}</span>
          <span className={styles.barShare}>{note ?? formatShare(value, whole ?? most)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The same as an SVG file. */
export function drawnBars(title: string, bars: readonly Bar[], whole?: number): string {
  const of = whole ?? Math.max(1, ...bars.map(({ value }) => value))
  return barsSvg(
    title,
    bars.map(({ name, value, note }) => ({
      ...{ name, value },
      text: `${formatNumber(value)} · ${note ?? formatShare(value, of)}`,
    })),
  )
}
