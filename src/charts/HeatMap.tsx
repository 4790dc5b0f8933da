import styles from './charts.module.css'

/** Seven days by 24 hours; the darker the more. The card's table says the same in numbers. */
export function HeatMap({
  label,
  days,
  countAt,
  titleOf,
}: {
  label: string
  /** names from Monday on */
  days: readonly string[]
  countAt: (weekday: number, hour: number) => number
  titleOf: (weekday: number, hour: number) => string
}) {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const most = Math.max(1, ...days.flatMap((_, day) => hours.map((hour) => countAt(day + 1, hour))))
  return (
    <svg data-chart role="img" aria-label={label} viewBox="0 0 520 172" className={styles.heat}>
      {days.map((name, day) => (
        <g key={name}>
          <text className={styles.axis} x={32} y={day * 21 + 14} textAnchor="end">
            {name}
          </text>
          {hours.map((hour) => {
            const value = countAt(day + 1, hour)
            return (
              <rect
                key={hour}
                className={value === 0 ? styles.cold : styles.hot}
                style={value === 0 ? undefined : { opacity: 0.25 + 0.75 * (value / most) }}
                x={40 + hour * 20}
                y={day * 21}
                width={18}
                height={19}
                rx={3}
              >
                <title>{titleOf(day + 1, hour)}</title>
              </rect>
            )
          })}
        </g>
      ))}
      {hours.map(
        (hour) =>
          hour % 3 === 0 && (
            <text key={hour} className={styles.axis} x={49 + hour * 20} y={166} textAnchor="middle">
              {hour}
            </text>
          ),
      )}
    </svg>
  )
}
