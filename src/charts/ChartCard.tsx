import { Download, Table2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BYTE_ORDER_MARK, csvLine } from '../../engine/values/csv'
import { downloadText } from '../ui/downloadText'
import { IconButton } from '../ui/IconButton'
import { Menu, MenuEntry } from '../ui/Menu'
import styles from './charts.module.css'
import { standaloneSvg } from './standaloneSvg'

/** What a chart shows, as rows. */
export interface ChartTable {
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  /** what opens what a row counts; undefined: nothing does */
  opens?: readonly ((() => void) | undefined)[]
}

/** A chart with its table, and both as files. */
export function ChartCard({
  title,
  table,
  svg = false,
  drawn,
  wide = false,
  isTable = false,
  children,
}: {
  title: string
  table: ChartTable
  /** it is one drawing that can be downloaded */
  svg?: boolean
  /** makes such a drawing of what is none on the page */
  drawn?: () => string
  wide?: boolean
  /** it shows its table itself */
  isTable?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation('analytics')
  const [shown, setShown] = useState(false)
  const drawing = useRef<HTMLDivElement>(null)
  const id = useId()
  const file = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
  const saveCsv = () =>
    downloadText(
      BYTE_ORDER_MARK + [table.columns, ...table.rows].map((row) => csvLine(row.map(String))).join(''),
      `${file}.csv`,
      'text/csv;charset=utf-8',
    )
  const saveSvg = () => {
    const found = drawing.current?.querySelector('svg[data-chart]')
    const text = drawn ? drawn() : found && standaloneSvg(found as SVGSVGElement)
    if (text) downloadText(text, `${file}.svg`, 'image/svg+xml')
  }
  return (
    <section className={styles.card} aria-labelledby={id} data-wide={wide || undefined}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {!isTable && (
          <IconButton
            size="s"
            label={t(shown ? 'chart.hideTable' : 'chart.showTable', { title })}
            icon={<Table2 size={14} />}
            active={shown}
            onClick={() => setShown(!shown)}
          />
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton size="s" label={t('chart.download', { title })} icon={<Download size={14} />} />
          </Menu.Target>
          <Menu.Dropdown>
            <MenuEntry onClick={saveCsv}>{t('chart.csv')}</MenuEntry>
            {(svg || drawn) && table.rows.length > 0 && <MenuEntry onClick={saveSvg}>{t('chart.svg')}</MenuEntry>}
          </Menu.Dropdown>
        </Menu>
      </header>
      <div ref={drawing} className={styles.body}>
        {table.rows.length === 0 ? <p className={styles.nothing}>{t('chart.nothing')}</p> : children}
      </div>
      {shown && (
        <section className={styles.tableBox} aria-label={t('chart.table', { title })}>
          <table className={styles.table}>
            <thead>
              <tr>
                {table.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, index) => (
                <tr key={row.join('|')}>
                  {row.map((cell, at) => (
                    <td key={`${table.columns[at]}`}>
                      {at === 0 && table.opens?.[index] ? (
                        <button type="button" className={styles.cellOpen} onClick={table.opens[index]}>
                          {cell}
                        </button>
                      ) : (
                        cell
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
