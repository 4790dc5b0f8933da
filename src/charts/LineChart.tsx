import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { formatNumber } from '../i18n/format'
import styles from './charts.module.css'
import { niceTop, ticksOf } from './scale'

const HEIGHT = 220
const LEFT = 44
const RIGHT = 28
const TOP = 12
const BOTTOM = 26

export interface LinePoint {
  /** on the axis, and in full beside the value */
  label: string
  title: string
  value: number
  /** of the same point in the period before */
  before: number
}

/** A line over time, with that of the period before as a dashed one. The card's table says the same in numbers. */
export function LineChart({
  label,
  now,
  before,
  points,
  onOpen,
}: {
  label: string
  /** names of both lines */
  now: string
  before: string
  points: readonly LinePoint[]
  /** opens what a point counts; the card's table does the same by keys */
  onOpen?: ((index: number) => void) | undefined
}) {
  const { ref, width } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const top = niceTop(Math.max(1, ...points.flatMap((point) => [point.value, point.before])))
  const inner = Math.max(1, width - LEFT - RIGHT)
  const x = (index: number) => LEFT + (points.length < 2 ? inner / 2 : (index / (points.length - 1)) * inner)
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM)
  const path = (read: (point: LinePoint) => number) =>
    points
      .map((point, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)},${y(read(point)).toFixed(1)}`)
      .join('')
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(inner / 76))))
  const shown = at === null ? undefined : points[at]
  const line = path(({ value }) => value)
  return (
    <div ref={ref} className={styles.line}>
      {width > 0 && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: by keys, the rows of the card's table do it
        <svg
          data-chart
          role="img"
          aria-label={label}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          width={width}
          height={HEIGHT}
          data-opens={onOpen ? true : undefined}
          onClick={() => at !== null && onOpen?.(at)}
          onPointerLeave={() => setAt(null)}
          onPointerMove={(event) => {
            const place = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT
            const index = Math.round((place / inner) * (points.length - 1))
            setAt(Math.max(0, Math.min(points.length - 1, index)))
          }}
        >
          {ticksOf(top).map((tick) => (
            <g key={tick}>
              <line className={styles.grid} x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
              <text className={styles.axis} x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          {points.map(
            (point, index) =>
              index % every === 0 && (
                <text key={point.title} className={styles.axis} x={x(index)} y={HEIGHT - 6} textAnchor="middle">
                  {point.label}
                </text>
              ),
          )}
          <path className={styles.beforeLine} d={path((point) => point.before)} />
          <path className={styles.area} d={`${line}L${x(points.length - 1)},${y(0)}L${x(0)},${y(0)}Z`} />
          <path className={styles.nowLine} d={line} />
          {points.length === 1 && <circle className={styles.dot} cx={x(0)} cy={y(points[0]?.value ?? 0)} r={4} />}
          {at !== null && shown && (
            <>
              <line className={styles.cursor} x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} />
              <circle className={styles.dot} cx={x(at)} cy={y(shown.value)} r={4} />
            </>
          )}
        </svg>
      )}
      {at !== null && shown && (
        <div className={styles.tip} style={{ insetInlineStart: Math.min(Math.max(x(at), 80), width - 80) }}>
          <strong>{shown.title}</strong>
          <span>
            {now}: {formatNumber(shown.value)}
          </span>
          <span>
            {before}: {formatNumber(shown.before)}
          </span>
        </div>
      )}
    </div>
  )
}
