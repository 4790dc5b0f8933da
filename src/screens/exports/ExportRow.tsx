import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ExportEntry, type ExportFormat, exportFormats } from '../../../server/contracts/exports'
import { useCan } from '../../api/account'
import { downloadFile, useDeleteExport } from '../../api/exports'
import { failureText } from '../../api/failure'
import { formatBytes, formatDate, formatMoment, formatNumber, formatShare } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import styles from './exports.module.css'

/** An export with its progress, and its file in each format. */
export function ExportRow({ pgid, entry }: { pgid: string; entry: ExportEntry }) {
  const { t } = useTranslation('exports')
  const { t: common } = useTranslation()
  const { gid, kind, chatbot, from, to, status, rows, total, bytes, by, created_at, expires_at } = entry
  const [fetching, setFetching] = useState(false)
  const remove = useDeleteExport(pgid)
  const mayDelete = useCan('exports.delete')
  const name = t('ofAt', { kind: t(`kinds.${kind}`), at: formatMoment(created_at) })
  async function save(format: ExportFormat): Promise<void> {
    setFetching(true)
    try {
      await downloadFile(pgid, gid, format)
    } catch {
      notify.error(t('failedDownload'))
    } finally {
      setFetching(false)
    }
  }
  const scope = [
    chatbot ? chatbot.name : t('allChatbots'),
    from || to ? t('days', { from: from ? formatDate(from) : '…', to: to ? formatDate(to) : '…' }) : null,
    by,
    formatMoment(created_at),
  ]
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <strong>{t(`kinds.${kind}`)}</strong>
        <span className={styles.scope}>{scope.filter(Boolean).join(' · ')}</span>
        {status === 'running' && (
          <progress className={styles.progress} value={rows} max={Math.max(1, total)} aria-label={name} />
        )}
      </div>
      <span className={styles.state}>
        {status === 'done' ? (
          <span>
            {rows === 0 ? t('noRows') : t('rows', { count: rows })} · {formatBytes(bytes)} ·{' '}
            {t('until', { day: formatDate(expires_at) })}
          </span>
        ) : status === 'failed' ? (
          <Badge tone="danger">{t('failed')}</Badge>
        ) : (
          <span>
            {status === 'waiting'
              ? t('waiting')
              : t('running', { share: formatShare(rows, Math.max(1, total)), rows: formatNumber(rows) })}
          </span>
        )}
      </span>
      <span className={styles.actions}>
        {status === 'done' && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="s" icon={<Download />} loading={fetching} aria-label={t('downloadOf', { name })}>
                {t('download')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {exportFormats.map((format) => (
                <MenuEntry key={format} onClick={() => void save(format)}>
                  {t(`formats.${format}`)}
                </MenuEntry>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {mayDelete && (
          <IconButton
            label={t('deleteOf', { name })}
            icon={<Trash2 size={15} />}
            onClick={() =>
              remove.mutate(gid, { onError: (error) => notify.error(failureText(error, common('errors.message'))) })
            }
          />
        )}
      </span>
    </li>
  )
}
