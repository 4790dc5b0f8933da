import { Ellipsis, ExternalLink, Eye, RotateCw, Square, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Source } from '../../../server/contracts/sources'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { type ChatbotPlace, underWay, type useSourceChanges } from '../../api/sources'
import { formatMoment, formatNumber, formatSince, languageName } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import styles from './data-sources.module.css'
import { kindIcons, mayBeReadAgain } from './kinds'
import { SourceStatusBadge } from './SourceStatusBadge'

interface SourceRowProps {
  place: ChatbotPlace
  source: Source
  selected: boolean
  changes: ReturnType<typeof useSourceChanges>
  onSelect: (selected: boolean) => void
  onDelete: () => void
}

export function SourceRow({ place, source, selected, changes, onSelect, onDelete }: SourceRowProps) {
  const { t } = useTranslation('sources')
  const mayUpdate = useCan('knowledge_base.update')
  const {
    gid,
    kind,
    title,
    url,
    file_name,
    characters,
    chunks,
    language,
    status,
    reason,
    resync,
    planted,
    trained_at,
  } = source
  const Icon = kindIcons[kind]
  const address = url ?? file_name
  return (
    <tr data-selected={selected || undefined}>
      {mayUpdate && (
        <td className={styles.pickCell}>
          <input
            type="checkbox"
            className={styles.box}
            aria-label={t('table.selectOne', { title })}
            checked={selected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        </td>
      )}
      <th scope="row" className={styles.source}>
        <span className={styles.kindIcon} title={t(`kind.${kind}`)}>
          <Icon size={15} aria-hidden />
        </span>
        <span className={styles.words}>
          <Link to={linkTo(place, gid)} className={styles.title}>
            {title}
          </Link>
          <span className={styles.sub}>
            {address && address !== title ? `${t(`kind.${kind}`)} · ${address}` : t(`kind.${kind}`)}
          </span>
          {reason && (
            <span className={styles.reason} data-tone={status === 'error' ? 'danger' : undefined}>
              {reason}
            </span>
          )}
        </span>
      </th>
      <td className={styles.statusCell} data-label={t('table.status')}>
        <SourceStatusBadge status={status} />
        {planted === 'quarantined' && <Badge tone="warning">{t('planted.badge')}</Badge>}
        {(status === 'error' || status === 'stopped') && <Retry source={source} changes={changes} />}
      </td>
      <td className={styles.number} data-label={t('table.characters')}>
        {formatNumber(characters)}
      </td>
      <td className={styles.number} data-label={t('table.passages')}>
        {formatNumber(chunks)}
      </td>
      <td className={styles.short} data-label={t('table.language')}>
        {language ? languageName(language) : '–'}
      </td>
      <td className={styles.short} data-label={t('table.trained')}>
        {trained_at ? (
          <time dateTime={trained_at} title={formatMoment(trained_at)}>
            {formatSince(trained_at)}
          </time>
        ) : (
          t('table.never')
        )}
      </td>
      <td className={styles.short} data-label={t('table.resync')}>
        {kind === 'link' ? t(`resync.${resync}`) : '–'}
      </td>
      <td className={styles.end}>
        <RowMenu place={place} source={source} changes={changes} onDelete={onDelete} />
      </td>
    </tr>
  )
}

const linkTo = ({ pgid, cgid }: ChatbotPlace, gid: string) => `/projects/${pgid}/chatbots/${cgid}/data-sources/${gid}`

function Retry({ source: { gid, title }, changes: { again } }: Pick<SourceRowProps, 'source' | 'changes'>) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  if (!useCan('knowledge_base.resync')) return null
  return (
    <Button
      size="s"
      icon={<RotateCw />}
      aria-label={t('table.retryOne', { title })}
      loading={again.isPending && again.variables.includes(gid)}
      onClick={() =>
        again.mutate([gid], { onError: (error) => notify.error(failureText(error, common('errors.message'))) })
      }
    >
      {t('table.retry')}
    </Button>
  )
}

function RowMenu({ place, source, changes, onDelete }: Omit<SourceRowProps, 'selected' | 'onSelect'>) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const mayAgain = useCan('knowledge_base.resync')
  const mayUpdate = useCan('knowledge_base.update')
  const mayDelete = useCan('knowledge_base.delete')
  const { gid, title, url, status } = source
  const busy = underWay.includes(status)
  const onError = (error: unknown) => notify.error(failureText(error, common('errors.message')))
  return (
    <Menu width={200} position="bottom-end">
      <Menu.Target>
        <IconButton size="s" label={t('table.actions', { title })} icon={<Ellipsis />} tooltip={false} />
      </Menu.Target>
      <Menu.Dropdown>
        <MenuEntry leftSection={<Eye size={15} />} to={linkTo(place, gid)}>
          {t('table.view')}
        </MenuEntry>
        {url && (
          <MenuEntry
            leftSection={<ExternalLink size={15} />}
            onClick={() => window.open(url, '_blank', 'noopener,noreferrer')}
          >
            {t('table.open')}
          </MenuEntry>
        )}
        {mayUpdate && busy && (
          <MenuEntry
            leftSection={<Square size={15} />}
            onClick={() =>
              changes.stop.mutate([gid], {
                onSuccess: (count) => notify.neutral(t('stopped', { count })),
                onError,
              })
            }
          >
            {t('table.stop')}
          </MenuEntry>
        )}
        {mayAgain && mayBeReadAgain(source) && (
          <MenuEntry
            leftSection={<RotateCw size={15} />}
            onClick={() =>
              changes.again.mutate([gid], {
                onSuccess: (count) => notify.success(t('again', { count })),
                onError,
              })
            }
          >
            {t('table.again')}
          </MenuEntry>
        )}
        {mayDelete && (
          <MenuEntry danger leftSection={<Trash2 size={15} />} onClick={onDelete}>
            {t('table.delete')}
          </MenuEntry>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
