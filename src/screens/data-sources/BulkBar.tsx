import { CalendarClock, RotateCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { resyncs } from '../../../server/contracts/sources'
import { useCan } from '../../api/account'
import { fieldOr } from '../../api/failure'
import { allSourceGids, type ChatbotPlace, type SourceFilter, type useSourceChanges } from '../../api/sources'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import styles from './data-sources.module.css'

interface BulkBarProps {
  place: ChatbotPlace
  selected: string[]
  /** number of matches */
  total: number
  filter: SourceFilter
  changes: ReturnType<typeof useSourceChanges>
  onSelect: (gids: string[]) => void
  onDelete: (gids: string[]) => void
}

/** Actions on many sources at once. */
export function BulkBar({ place, selected, total, filter, changes, onSelect, onDelete }: BulkBarProps) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const mayResync = useCan('knowledge_base.resync')
  const mayDelete = useCan('knowledge_base.delete')
  const [fetching, setFetching] = useState(false)
  const onError = (error: unknown) => notify.error(fieldOr(error, 'gids', common('errors.message')))
  const selectAll = async () => {
    setFetching(true)
    try {
      onSelect(await allSourceGids(place, filter))
    } catch (error) {
      onError(error)
    } finally {
      setFetching(false)
    }
  }
  return (
    <section className={styles.bulk} aria-label={t('bulk.label')}>
      <span className={styles.count}>{t('bulk.selected', { count: selected.length })}</span>
      {selected.length < total && (
        <Button size="s" design="ghost" loading={fetching} onClick={() => void selectAll()}>
          {t('bulk.all', { count: total })}
        </Button>
      )}
      <span className={styles.gap} />
      {mayResync && (
        <>
          <Button
            size="s"
            icon={<RotateCw />}
            loading={changes.again.isPending}
            onClick={() =>
              changes.again.mutate(selected, {
                onSuccess: (count) => notify.success(t('again', { count })),
                onError,
              })
            }
          >
            {t('bulk.again')}
          </Button>
          <Menu width={200}>
            <Menu.Target>
              <Button size="s" icon={<CalendarClock />} loading={changes.resync.isPending}>
                {t('bulk.resync')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {resyncs.map((resync) => (
                <MenuEntry
                  key={resync}
                  onClick={() =>
                    changes.resync.mutate(
                      { gids: selected, resync },
                      { onSuccess: () => notify.success(t('resynced')), onError },
                    )
                  }
                >
                  {t(`resync.${resync}`)}
                </MenuEntry>
              ))}
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      {mayDelete && (
        <Button size="s" icon={<Trash2 />} onClick={() => onDelete(selected)}>
          {t('bulk.delete')}
        </Button>
      )}
      <IconButton size="s" label={t('bulk.none')} icon={<X />} onClick={() => onSelect([])} />
    </section>
  )
}
