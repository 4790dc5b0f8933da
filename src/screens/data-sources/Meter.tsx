import styles from './summary.module.css'

/** A share as a bar; with `warn` in a warning colour from nine tenths on. */
export function Meter({ label, value, max, warn }: { label: string; value: number; max: number; warn?: boolean }) {
  const part = max > 0 ? Math.min(1, value / max) : 0
  return (
    <span
      className={styles.meter}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      data-full={(warn && part >= 0.9) || undefined}
    >
      <span style={{ inlineSize: `${part * 100}%` }} />
    </span>
  )
}
