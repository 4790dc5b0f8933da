import styles from './charts.module.css'

const ROW = 21
const COLUMN = 20
const GAP = 8
/** The width of a letter of the axis, on average. */
const LETTER = 6.2

/** Rows (days, people) by 24 hours; the darker the more. The card's table says the same in numbers. */
export function HeatMap({
  label,
  rows,
  names = 32,
  countAt,
  titleOf,
  onOpen,
}: {
  label: string
  rows: readonly { id: string; name: string }[]
  /** the room for the rows' names: longer ones are cut */
  names?: number
  countAt: (row: number, hour: number) => number
  titleOf: (row: number, hour: number) => string
  /** opens what a field counts; the card's table does the same by keys */
  onOpen?: ((row: number, hour: number) => void) | undefined
}) {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const most = Math.max(1, ...rows.flatMap((_, row) => hours.map((hour) => countAt(row, hour))))
  const letters = Math.floor(names / LETTER)
  const left = names + GAP
  const size = `${left + 24 * COLUMN} ${rows.length * ROW + 25}`
  return (
    <svg data-chart role="img" aria-label={label} viewBox={`0 0 ${size}`} className={styles.heat}>
      {rows.map(({ id, name }, row) => (
        <g key={id}>
          <text className={styles.axis} x={names} y={row * ROW + 14} textAnchor="end">
            {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
          </text>
          {hours.map((hour) => {
            const value = countAt(row, hour)
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: by keys, the rows of the card's table do it
              <rect
                key={hour}
                className={value === 0 ? styles.cold : styles.hot}
                style={value === 0 ? undefined : { opacity: 0.25 + 0.75 * (value / most) }}
                x={left + hour * COLUMN}
                y={row * ROW}
                width={18}
                height={19}
                rx={3}
                data-opens={(onOpen && value > 0) || undefined}
                onClick={value > 0 ? () => onOpen?.(row, hour) : undefined}
              >
                <title>{titleOf(row, hour)}</title>
              </rect>
            )
          })}
        </g>
      ))}
      {hours.map(
        (hour) =>
          hour % 3 === 0 && (
            <text
              key={hour}
              className={styles.axis}
              x={left + 9 + hour * COLUMN}
              y={rows.length * ROW + 19}
              textAnchor="middle"
            >
              {hour}
            </text>
          ),
      )}
    </svg>
  )
}
