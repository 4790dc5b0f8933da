import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileText, RotateCw, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type DocumentType, sourceCaps } from '../../../../server/contracts/sources'
import { sourcesQuery } from '../../../api/sources'
import { formatBytes, formatShare } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { FilesDrop } from '../../../ui/FilesDrop'
import { IconButton } from '../../../ui/IconButton'
import { Meter } from '../Meter'
import { acceptedFiles } from './documentFiles'
import type { NewSourceProps } from './form'
import styles from './new-source.module.css'
import { type SentFile, useUploads } from './useUploads'

/** Documents: several at once, each with its progress or error. */
export function DocumentsForm({ place, onUnsaved, onDone }: NewSourceProps) {
  const { t } = useTranslation('newSource')
  const { data } = useQuery(sourcesQuery(place, { search: '' }, { offset: 0, limit: 1 }))
  const types = data?.document_types ?? ONLY_PDF
  const { files, add, retry, remove } = useUploads(place, types)
  const onTheWay = files.some(({ state }) => state === 'waiting' || state === 'sending')
  const sent = files.filter(({ state }) => state === 'sent').length
  useEffect(() => onUnsaved(onTheWay), [onTheWay, onUnsaved])
  return (
    <div className={styles.stack}>
      <FilesDrop
        label={t(types.length > 1 ? 'document.labelAll' : 'document.label')}
        hint={t(types.length > 1 ? 'document.hintAll' : 'document.hint', { size: formatBytes(sourceCaps.document) })}
        accept={acceptedFiles(types)}
        onFiles={add}
      />
      {files.length > 0 && (
        <Card
          flush
          title={t('document.files')}
          footer={
            sent > 0 && (
              <>
                <p className={styles.footText}>{t('document.doneHint', { count: sent })}</p>
                <Button design="primary" disabled={onTheWay} onClick={onDone}>
                  {t('document.done')}
                </Button>
              </>
            )
          }
        >
          <ul className={styles.rows}>
            {files.map((file) => (
              <Row key={file.id} file={file} onRetry={() => retry(file.id)} onRemove={() => remove(file.id)} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

/** Until the server has said what it reads. */
const ONLY_PDF: readonly DocumentType[] = ['pdf']

interface RowProps {
  file: SentFile
  onRetry: () => void
  onRemove: () => void
}

function Row({ file: { file, state, part, reason, mayRetry }, onRetry, onRemove }: RowProps) {
  const { t } = useTranslation('newSource')
  const { name } = file
  return (
    <li className={styles.row} data-failed={state === 'failed' || undefined}>
      {state === 'failed' ? (
        <CircleAlert size={16} />
      ) : state === 'sent' ? (
        <CircleCheck size={16} />
      ) : (
        <FileText size={16} />
      )}
      <span className={styles.words}>
        <span className={styles.cut}>{name}</span>
        <span className={styles.muted}>
          {formatBytes(file.size)}
          {' · '}
          {state === 'sending'
            ? t('document.sending', { percent: formatShare(part, 1) })
            : state === 'sent'
              ? t('document.sent')
              : state === 'waiting'
                ? t('document.waiting')
                : t('document.failed')}
        </span>
        {state === 'sending' && <Meter label={t('document.progress', { name })} value={part} max={1} />}
        {reason && (
          <span role="alert" className={styles.reason} data-tone="danger">
            {reason}
          </span>
        )}
      </span>
      {state === 'failed' && mayRetry && (
        <Button size="s" icon={<RotateCw />} aria-label={t('document.retryOne', { name })} onClick={onRetry}>
          {t('document.retry')}
        </Button>
      )}
      {state !== 'sent' && (
        <IconButton
          size="s"
          label={state === 'sending' ? t('document.stop', { name }) : t('document.remove', { name })}
          icon={<X />}
          onClick={onRemove}
        />
      )}
    </li>
  )
}
