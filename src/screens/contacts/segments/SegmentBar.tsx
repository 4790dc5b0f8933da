import { useQuery } from '@tanstack/react-query'
import { ListFilter, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { COUNTED, type Segment } from '../../../../server/contracts/contactFilter'
import { failureText } from '../../../api/failure'
import { segmentsQuery, useSegmentChanges } from '../../../api/segments'
import { formatNumber } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { IconButton } from '../../../ui/IconButton'
import { Menu, MenuEntry } from '../../../ui/Menu'
import styles from './segments.module.css'

interface SegmentBarProps {
  pgid: string
  /** the chosen one's gid; '' is all contacts */
  value: string
  /** conditions that are not saved */
  conditions: number
  mayChange: boolean
  onChoose: (gid: string) => void
  onEdit: (segment: Segment) => void
  onFilter: () => void
  onClear: () => void
}

/** Saved filters with their counts, and the way to a new one. */
export function SegmentBar({ pgid, value, conditions, mayChange, ...on }: SegmentBarProps) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { data: segments = [] } = useQuery(segmentsQuery(pgid))
  const { remove } = useSegmentChanges(pgid)
  const [deleting, setDeleting] = useState<Segment | null>(null)
  const chosen = segments.find(({ gid }) => gid === value)
  return (
    <div className={styles.bar}>
      <fieldset className={styles.segments} aria-label={t('segments.title')}>
        <button type="button" aria-pressed={value === ''} onClick={() => on.onChoose('')}>
          {t('segments.all')}
        </button>
        {segments.map(({ gid, name, count }) => (
          <button key={gid} type="button" aria-pressed={value === gid} onClick={() => on.onChoose(gid)}>
            {name} <span className={styles.count}>{countText(count)}</span>
          </button>
        ))}
      </fieldset>
      {chosen && mayChange && (
        <Menu>
          <Menu.Target>
            <IconButton label={t('segments.actions', { name: chosen.name })} icon={<MoreHorizontal size={16} />} />
          </Menu.Target>
          <Menu.Dropdown>
            <MenuEntry leftSection={<Pencil size={14} />} onClick={() => on.onEdit(chosen)}>
              {t('segments.change')}
            </MenuEntry>
            <MenuEntry danger leftSection={<Trash2 size={14} />} onClick={() => setDeleting(chosen)}>
              {t('segments.delete')}
            </MenuEntry>
          </Menu.Dropdown>
        </Menu>
      )}
      <span className={styles.end}>
        <Button icon={<ListFilter />} onClick={on.onFilter}>
          {conditions > 0 ? t('filters.some', { count: conditions }) : t('filters.title')}
        </Button>
        {conditions > 0 && (
          <Button design="ghost" onClick={on.onClear}>
            {t('filters.clear')}
          </Button>
        )}
      </span>
      {deleting && (
        <ConfirmDialog
          opened
          danger
          title={t('segments.deleteTitle', { name: deleting.name })}
          message={t('segments.deleteMessage')}
          confirm={common('actions.delete')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            remove.mutate(deleting.gid, {
              onSuccess: () => {
                setDeleting(null)
                on.onChoose('')
              },
            })
          }
        />
      )}
    </div>
  )
}

/** A count, which above a bound is not exact. */
export const countText = (count: number): string =>
  count >= COUNTED ? `${formatNumber(COUNTED)}+` : formatNumber(count)
