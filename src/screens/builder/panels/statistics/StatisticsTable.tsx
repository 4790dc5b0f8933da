import { ArrowDown } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowStatistics } from '../../../../../server/contracts/statistics'
import { useView } from '../../../../canvas/adapter'
import { useProjection } from '../../../../canvas/context'
import { formatNumber, formatShare } from '../../../../i18n/format'
import { Button } from '../../../../ui/Button'
import styles from '../StatisticsPanel.module.css'
import { useStatisticsView } from './statisticsView'

/** The most rows shown at first. */
const SHOWN = 100
const columns = ['conversations', 'left'] as const

/** The flow's groups, most left ones first; a title shows its group. @param onLeave closes the panel */
export function StatisticsTable({ statistics, onLeave }: { statistics: FlowStatistics; onLeave: () => void }) {
  const { t } = useTranslation('statistics')
  const groups = useProjection((projection) => projection.groups)
  const [by, setBy] = useState<(typeof columns)[number]>('left')
  const [all, setAll] = useState(false)
  const present = statistics.groups
    .filter(({ id }) => groups.has(id))
    .sort((a, b) => b[by] - a[by] || b.conversations - a.conversations)
  const gone = statistics.groups.reduce((sum, { id, visits }) => (groups.has(id) ? sum : sum + visits), 0)
  const names = { conversations: t('reached'), left: t('leftHere') }
  return (
    <section className={styles.section} aria-label={t('groups')}>
      <h3>{t('groups')}</h3>
      {present.length === 0 && <p className={styles.hint}>{t('unreached')}</p>}
      {present.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('group')}</th>
              {columns.map((column) => (
                <th key={column} scope="col" aria-sort={by === column ? 'descending' : undefined}>
                  <button type="button" onClick={() => setBy(column)}>
                    {names[column]}
                    {by === column && <ArrowDown size={11} aria-hidden />}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {present.slice(0, all ? undefined : SHOWN).map((row) => (
              <Row key={row.id} row={row} onLeave={onLeave} />
            ))}
          </tbody>
        </table>
      )}
      {!all && present.length > SHOWN && (
        <Button size="s" design="ghost" onClick={() => setAll(true)}>
          {t('more', { count: present.length - SHOWN })}
        </Button>
      )}
      {gone > 0 && <p className={styles.hint}>{t('gone', { count: gone })}</p>}
    </section>
  )
}

function Row({ row, onLeave }: { row: FlowStatistics['groups'][number]; onLeave: () => void }) {
  const { t } = useTranslation('statistics')
  const view = useView()
  const title = useProjection(({ groups }) => groups.get(row.id)?.title.trim()) || t('untitled')
  const go = () => {
    // on a small screen the panel closes, and the marks stay
    if (window.matchMedia('(max-width: 760px)').matches) {
      useStatisticsView.setState(({ drawn }) => ({ pinned: drawn }))
      onLeave()
    }
    view.show(row.id)
  }
  const share = row.conversations === 0 ? 0 : row.left / row.conversations
  return (
    <tr>
      <th scope="row">
        <button type="button" className={styles.go} onClick={go}>
          {title}
        </button>
      </th>
      <td>{formatNumber(row.conversations)}</td>
      <td>
        <span className={styles.share} style={{ '--share': share } as CSSProperties}>
          {formatNumber(row.left)}
          <small>{formatShare(row.left, row.conversations)}</small>
        </span>
      </td>
    </tr>
  )
}
