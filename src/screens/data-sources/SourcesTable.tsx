import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SourceList } from '../../../server/contracts/sources'
import { useCan } from '../../api/account'
import { type ChatbotPlace, useSourceChanges } from '../../api/sources'
import { formatNumber } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { BulkBar } from './BulkBar'
import { DeleteDialog } from './DeleteDialog'
import styles from './data-sources.module.css'
import { SourceRow } from './SourceRow'
import { PAGE_SIZE, type SourceView } from './useSourceView'

interface SourcesTableProps {
  place: ChatbotPlace
  list: SourceList
  view: SourceView
}

/** A page of the filtered sources, and actions on the selection. */
export function SourcesTable({ place, list, view }: SourcesTableProps) {
  const { t } = useTranslation('sources')
  const { sources, total } = list
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [deleting, setDeleting] = useState<{ gids: string[]; title?: string } | null>(null)
  const mayUpdate = useCan('knowledge_base.update')
  const changes = useSourceChanges(place)
  const shown = sources.map(({ gid }) => gid)
  const allShown = shown.length > 0 && shown.every((gid) => selected.has(gid))
  const toggle = (gids: string[], on: boolean) =>
    setSelected((before) => {
      const after = new Set(before)
      for (const gid of gids) on ? after.add(gid) : after.delete(gid)
      return after
    })
  if (total === 0) return <NoMatch view={view} />
  return (
    <>
      {selected.size > 0 && (
        <BulkBar
          place={place}
          selected={[...selected]}
          total={total}
          filter={view.filter}
          changes={changes}
          onSelect={(gids) => setSelected(new Set(gids))}
          onDelete={(gids) => setDeleting({ gids })}
        />
      )}
      <Card flush>
        <table className={styles.table} aria-label={t('table.label')}>
          <thead>
            <tr>
              {mayUpdate && (
                <td className={styles.pickCell}>
                  <input
                    type="checkbox"
                    className={styles.box}
                    aria-label={t('table.selectAll')}
                    checked={allShown}
                    ref={(box) => {
                      if (box) box.indeterminate = !allShown && shown.some((gid) => selected.has(gid))
                    }}
                    onChange={(event) => toggle(shown, event.currentTarget.checked)}
                  />
                </td>
              )}
              <th scope="col">{t('table.source')}</th>
              <th scope="col" className={styles.statusCell}>
                {t('table.status')}
              </th>
              <th scope="col" className={styles.number}>
                {t('table.characters')}
              </th>
              <th scope="col" className={styles.number}>
                {t('table.passages')}
              </th>
              <th scope="col" className={styles.short}>
                {t('table.language')}
              </th>
              <th scope="col" className={styles.short}>
                {t('table.trained')}
              </th>
              <th scope="col" className={styles.short}>
                {t('table.resync')}
              </th>
              <td className={styles.end} />
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <SourceRow
                key={source.gid}
                place={place}
                source={source}
                selected={selected.has(source.gid)}
                changes={changes}
                onSelect={(on) => toggle([source.gid], on)}
                onDelete={() => setDeleting({ gids: [source.gid], title: source.title })}
              />
            ))}
          </tbody>
        </table>
      </Card>
      <Pages view={view} total={total} count={sources.length} />
      {deleting && (
        <DeleteDialog
          {...deleting}
          remove={changes.remove}
          onClose={() => setDeleting(null)}
          onDeleted={() => toggle(deleting.gids, false)}
        />
      )}
    </>
  )
}

function NoMatch({ view }: { view: SourceView }) {
  const { t } = useTranslation('sources')
  return (
    <div className={styles.noMatch}>
      <p>{t('filter.none')}</p>
      <Button size="s" onClick={() => view.setFilter({ kind: undefined, status: undefined, search: undefined })}>
        {t('filter.clear')}
      </Button>
    </div>
  )
}

function Pages({ view: { page, setPage }, total, count }: { view: SourceView; total: number; count: number }) {
  const { t } = useTranslation('sources')
  const from = page * PAGE_SIZE
  if (total <= PAGE_SIZE && page === 0) return null
  return (
    <div className={styles.pages}>
      <span>
        {t('table.range', {
          from: formatNumber(Math.min(from + 1, total)),
          to: formatNumber(from + count),
          total: formatNumber(total),
        })}
      </span>
      <IconButton
        design="bordered"
        label={t('table.previous')}
        icon={<ChevronLeft />}
        disabled={page === 0}
        onClick={() => setPage(page - 1)}
      />
      <IconButton
        design="bordered"
        label={t('table.next')}
        icon={<ChevronRight />}
        disabled={from + count >= total}
        onClick={() => setPage(page + 1)}
      />
    </div>
  )
}
