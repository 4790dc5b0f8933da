import styles from './summary.module.css'

/** A part of a whole as a bar; with `warn` in the colour of warnings once nine tenths are taken. */
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
