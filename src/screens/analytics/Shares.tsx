import type { AnalyticsDetail } from '../../../server/contracts/analytics'
import type { Drilled } from '../../api/analytics'
import { BarList, drawnBars } from '../../charts/BarList'
import { ChartCard } from '../../charts/ChartCard'

export interface ChartsProps {
  detail: AnalyticsDetail
  onDrill: (drilled: Drilled) => void
}

interface ShareRow {
  id: string
  name: string
  value: number
  onOpen?: () => void
}

/** Counts as bars, each leading to what it counts. @param whole what 100 % is; default: the largest */
export function Shares({
  title,
  name,
  value,
  rows,
  whole,
}: {
  title: string
  name: string
  value: string
  rows: readonly ShareRow[]
  whole?: number
}) {
  return (
    <ChartCard
      title={title}
      drawn={() => drawnBars(title, rows, whole)}
      table={{
        columns: [name, value],
        rows: rows.map((row) => [row.name, row.value]),
        opens: rows.map(({ onOpen }) => onOpen),
      }}
    >
      <BarList bars={rows} {...(whole !== undefined && { whole })} />
    </ChartCard>
  )
}
