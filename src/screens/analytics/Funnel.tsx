import { useTranslation } from 'react-i18next'
import { BarList, drawnBars } from '../../charts/BarList'
import { ChartCard } from '../../charts/ChartCard'
import { formatShare } from '../../i18n/format'
import { type ChartsProps, Shares } from './Shares'

/** How far visitors came in the flow, by groups and by blocks, and at which of its blocks they left. */
export function Funnel({ detail: { funnel, blocks, drop_off }, onDrill }: ChartsProps) {
  const { t } = useTranslation('analytics')
  const { t: kinds } = useTranslation('blocks')
  const nameOf = ({ kind, group }: { kind: string; group: string }) =>
    `${group || t('untitled')} · ${kinds(`${kind}.title`, { defaultValue: kind })}`
  const noteOf = ({ left, conversations }: { left: number; conversations: number }) =>
    left === 0 ? undefined : t('leftThere', { share: formatShare(left, conversations) })
  const groups = funnel.map(({ group, title, ...counts }) => {
    const name = title || t('untitled')
    return {
      ...{ id: group, name, value: counts.conversations, left: counts.left, note: noteOf(counts) },
      onOpen: () => onDrill({ figure: 'reached', group, about: name }),
    }
  })
  const passed = blocks.map(({ block, ...counts }) => {
    const name = nameOf(counts)
    return {
      ...{ id: block, name, value: counts.conversations, left: counts.left, note: noteOf(counts) },
      onOpen: () => onDrill({ figure: 'reached', block, about: name }),
    }
  })
  return (
    <>
      <Reached title={t('funnel')} name={t('group')} rows={groups} />
      {passed.length > 0 && <Reached title={t('blocksReached')} name={t('block')} rows={passed} />}
      <Shares
        title={t('dropOff')}
        name={t('block')}
        value={t('left')}
        rows={drop_off.map(({ block, left, ...of }) => {
          const name = nameOf(of)
          return { id: block, name, value: left, onOpen: () => onDrill({ figure: 'left', block, about: name }) }
        })}
      />
    </>
  )
}

interface ReachedRow {
  id: string
  name: string
  value: number
  left: number
  note: string | undefined
  onOpen: () => void
}

/** Places by how many conversations came there, with the share that was left there. */
function Reached({ title, name, rows }: { title: string; name: string; rows: readonly ReachedRow[] }) {
  const { t } = useTranslation('analytics')
  return (
    <ChartCard
      title={title}
      drawn={() => drawnBars(title, rows)}
      table={{
        columns: [name, t('tiles.conversations'), t('left')],
        rows: rows.map((row) => [row.name, row.value, row.left]),
        opens: rows.map(({ onOpen }) => onOpen),
      }}
    >
      <BarList bars={rows} />
    </ChartCard>
  )
}
